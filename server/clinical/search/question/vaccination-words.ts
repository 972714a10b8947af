import { isVaccine, type Concept } from '../../concepts/concept.ts';
import { isDisease } from '../../concepts/vaccine-names.ts';
import type { AskedConcept, AskedKind } from '../question.ts';
import { compilePattern, findMatches, type Span } from './text-pattern.ts';

/**
 * What says of a disease that the vaccine against it is meant: "am I up to date on polio", "¿cuándo me pusieron varicela?".
 * Beside anything else it says nothing: a pacemaker is put in too.
 */
const VACCINATED_WORDS = [
  'up to date (?:on|with|for)|due for|current (?:on|with)|behind on|protected (?:from|against)|immune to',
  '(?:get|got|gotten|had|have|need|missed|missing) (?:my|his|her|their|our)',
  '(?:me|le|te|les|nos) (?:han |habian )?(?:pusieron|puse|puso|puesto|ponen|pongo|ponga|pongan|toca)|ponerme|ponerle|al dia (?:con|de|en)|protegid[oa]s? contra',
  'geschutzt gegen|immun gegen|auf dem (?:neuesten|aktuellen) stand',
].join('|');
const VACCINATED = compilePattern(VACCINATED_WORDS);

/** "Vaccinated against measles"; "against medical advice" is something by itself. */
const SAID = compilePattern(`${VACCINATED_WORDS}|against`);

/** The kinds that a thing is read with: those asked for, and vaccines where the question says that one was given. */
export const addVaccines = (text: string, kinds: readonly AskedKind[]): readonly AskedKind[] =>
  findMatches(text, VACCINATED).length === 0 ? kinds : [...kinds, { kind: 'immunization', weight: 1 }];

/** Of a word that may ask for medication too: "shot". */
const MIN_WEIGHT = 0.8;

/** Whether the question names vaccines as what is asked for. */
export const asksForVaccines = (kinds: readonly AskedKind[]): boolean =>
  kinds.some(({ kind, weight }) => kind === 'immunization' && weight >= MIN_WEIGHT);

/** Leaves of what a phrase may mean the vaccines, where there are such. */
export function keepVaccines(meanings: readonly Concept[]): readonly Concept[] {
  const vaccines = meanings.filter(isVaccine);
  return vaccines.length > 0 ? vaccines : meanings;
}

/**
 * Leaves out the vaccines that are narrower than others: these find them, and a combined one by itself would have what else it is
 * against found, hepatitis B for a tetanus booster.
 */
export const leaveOutCombined = (meanings: readonly Concept[]): readonly Concept[] =>
  meanings.every(isVaccine)
    ? meanings.filter(({ ancestors }) => !meanings.some(({ id }) => ancestors.includes(id)))
    : meanings;

/** The diseases that are not meant where nothing but vaccines is. */
export const listNotMeant = (
  meanings: readonly Concept[],
  readAs: readonly Concept[],
): Pick<AskedConcept, 'isNot'> => (readAs.every(isVaccine) ? { isNot: meanings.filter(isDisease) } : {});

/** What says of something that is read as a vaccine that one was given: no words to look for by themselves. */
export const findVaccinated = (
  text: string,
  concepts: readonly Pick<AskedConcept, 'readAs'>[],
): readonly Span[] =>
  concepts.some(({ readAs }) => readAs.some(isVaccine))
    ? findMatches(text, SAID).map(({ span }) => span)
    : [];
