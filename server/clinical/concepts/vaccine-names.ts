import { isVaccine, toConceptId, type Concept, type ConceptKind } from './concept.ts';
import { splitWords } from './split-words.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What the words of an immunization name: vaccines, and the diseases that they are against. */
export interface VaccineNames {
  vaccines: readonly Concept[];
  /** It is none of these, though it has their words. */
  diseases: readonly Concept[];
  /** The lines of the body that are no names of vaccines. */
  remarks: string;
}

const DISEASE_KINDS = new Set<ConceptKind>(['conditions', 'symptoms', 'tests']);
export const isDisease = ({ kind }: Concept): boolean => DISEASE_KINDS.has(kind);
const IMMUNE_GLOBULIN = toConceptId('immune-globulin-shot');
const SEPARATORS = /[,;/+&()]|(?<!\S)(?:and|y|und)(?!\S)/u;

/**
 * Reads the words of an immunization: by itself "Influenza" or "Hepatitis B" is the vaccine, never the disease. Other displays
 * of its codes stand in the body, a line each.
 */
export function readVaccineNames(vocabulary: Vocabulary, title: string, body: string): VaccineNames {
  const names = [title];
  const remarks: string[] = [];
  for (const line of body.split('\n'))
    (listNamed(vocabulary, [line]).length > 0 ? names : remarks).push(line);
  const matches = names.flatMap((name) => vocabulary.findPhrases(name, 'record'));
  const diseases = matches.flatMap(({ concepts }) => concepts.filter(isDisease));
  const phrases = matches.flatMap(({ phrase, concepts }) => (concepts.some(isDisease) ? phrase : []));
  return { vaccines: listNamed(vocabulary, [...names, ...phrases]), diseases, remarks: remarks.join('\n') };
}

/** The vaccines that texts, or their parts, name without the word; the widest alone, since a name says no more than itself. */
function listNamed(vocabulary: Vocabulary, texts: readonly string[]): Concept[] {
  const parts = new Set(
    texts.flatMap((text) => [text, ...text.split(SEPARATORS).map((part) => part.trim())]),
  );
  const named = [...parts].flatMap((part) => findWhole(vocabulary, part));
  return keepWidest(named).filter(({ ancestors }) => !ancestors.includes(IMMUNE_GLOBULIN));
}

const keepWidest = (vaccines: readonly Concept[]): readonly Concept[] => {
  const ids = new Set(vaccines.map(({ id }) => id));
  return vaccines.filter(({ ancestors }) => !ancestors.some((id) => ids.has(id)));
};

/**
 * Of what a record's name of a vaccine may be only what it says: "varicella vaccine" is no combined one that is against varicella
 * too, which would be against measles, nor the immune globulin, though who asks for it may mean each.
 */
export function leaveOutNarrower(concepts: readonly Concept[]): readonly Concept[] {
  const vaccines = concepts.filter(isVaccine);
  if (vaccines.length < 2) return concepts;
  const widest = keepWidest(vaccines);
  const given = widest.filter(({ ancestors }) => !ancestors.includes(IMMUNE_GLOBULIN));
  const meant = new Set(given.length > 0 ? given : widest);
  return concepts.filter((concept) => concept.kind !== 'vaccines' || meant.has(concept));
}

function findWhole(vocabulary: Vocabulary, part: string): readonly Concept[] {
  if (part === '' || part.length > MAX_NAME_LENGTH) return [];
  const text = `${part} vaccine`;
  const [match] = vocabulary.findPhrases(text, 'record');
  return match?.start === 0 && match.end === text.length ? match.concepts.filter(isVaccine) : [];
}

const MAX_NAME_LENGTH = 120;

/** The diseases that a vaccine is against, as far as a text has their words: who reads "influenza vaccine" reads no influenza. */
export function listPrevented(vocabulary: Vocabulary, vaccine: Concept, text: string): Concept[] {
  if (vaccine.kind !== 'vaccines') return [];
  const written = foldText(text);
  return [vaccine, ...vaccine.ancestors.flatMap((id) => vocabulary.getConcept(id) ?? [])]
    .flatMap(({ related }) => related.flatMap((id) => vocabulary.getConcept(id) ?? []))
    .filter(
      ({ kind, names }) => kind === 'conditions' && names.some((name) => written.includes(foldText(name))),
    );
}

const foldText = (text: string): string =>
  ` ${splitWords(text)
    .map(({ folded }) => folded)
    .join(' ')} `;

/** What the name of a disease means in a list of vaccines: the vaccines, and the diseases that they are against. */
export const readVaccinated = (
  vocabulary: Vocabulary,
  phrase: string,
  concepts: readonly Concept[],
): Pick<VaccineNames, 'vaccines' | 'diseases'> => {
  const diseases = concepts.filter(isDisease);
  return { diseases, vaccines: diseases.length === 0 ? [] : listNamed(vocabulary, [phrase]) };
};
