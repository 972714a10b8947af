import type { AskedConcept, AskedKind } from '../question.ts';
import { compilePattern, findMatches, type Span } from './text-pattern.ts';

/**
 * What says of a disease that the vaccine against it is meant: "am I up to date on polio", "¿cuándo me pusieron varicela?".
 * Beside anything else it says nothing: a pacemaker is put in too.
 */
const VACCINATED = compilePattern(
  [
    'up to date (?:on|with|for)|due for|current (?:on|with)|behind on|protected (?:from|against)|immune to',
    '(?:get|got|gotten|had|have|need|missed|missing) (?:my|his|her|their|our)',
    '(?:me|le|te|les|nos) (?:han |habian )?(?:pusieron|puse|puso|puesto|ponen|pongo|ponga|pongan|toca)|ponerme|ponerle|al dia (?:con|de|en)|protegid[oa]s? contra',
    'geschutzt gegen|immun gegen|auf dem (?:neuesten|aktuellen) stand',
  ].join('|'),
);

/** The kinds that a thing is read with: those asked for, and vaccines where the question says that one was given. */
export const addVaccines = (text: string, kinds: readonly AskedKind[]): readonly AskedKind[] =>
  findMatches(text, VACCINATED).length === 0 ? kinds : [...kinds, { kind: 'immunization', weight: 1 }];

/** What says of something that is read as a vaccine that one was given: no words to look for by themselves. */
export const findVaccinated = (
  text: string,
  concepts: readonly Pick<AskedConcept, 'readAs'>[],
): readonly Span[] =>
  concepts.some(({ readAs }) => readAs.some(({ kind }) => kind === 'vaccines'))
    ? findMatches(text, VACCINATED).map(({ span }) => span)
    : [];
