import { hash } from 'node:crypto';
import { findAllergies, findAllergyStatements } from './allergy-concepts.ts';
import { CONCEPT_ID_BITS, type Concept } from './concept.ts';
import { listKindConcepts, type EntryKind } from './kind-concepts.ts';
import { findImagedParts, findImaging } from './imaging-names.ts';
import { isAboutRelatives, isVaccinated, readMentionContext } from './mention-context.ts';
import { listUnderlying } from './underlying-concepts.ts';
import {
  isDisease,
  leaveOutNarrower,
  listPrevented,
  readVaccinated,
  readVaccineNames,
} from './vaccine-names.ts';
import { findRefused, VACCINE_NOT_GIVEN } from './refused-vaccines.ts';
import { findSided } from './sided-phrases.ts';
import type { Vocabulary } from './vocabulary.ts';

/** How a text stands to a concept, in the three bits above the concept's id. */
const ROLES = {
  /** Its code or its title says so. */
  named: 0,
  /** Its code or its title says something narrower. */
  namedWider: 1,
  mentioned: 2,
  mentionedWider: 3,
  /** "No chest pain". */
  negated: 4,
  /** Said of a relative or of another person, the concept itself or something narrower. */
  ofOthers: 5,
  /** Its code or its title says something that is related to it, or to something wider. */
  related: 6,
  /** A vaccine against it: it has the words of the disease, and is not it. */
  prevented: 7,
} as const;
export type Role = keyof typeof ROLES;

/** A concept in a role, as `passage.concepts` holds it: a positive `integer`. */
export const toMention = (conceptId: number, role: Role): number =>
  ROLES[role] * 2 ** CONCEPT_ID_BITS + conceptId;

export interface AnnotatedText {
  /** The kind of the entry that it is of. */
  kind: EntryKind;
  title: string;
  body: string;
  /** `system|code` of all codings. */
  codes: readonly string[];
  /** Whether the entry says that it is not so, or was not done. */
  isDenied?: boolean;
}

export type Annotate = (text: AnnotatedText) => readonly number[];

/** 400 orders of one drug are one text, and the paragraphs of a note come again with the next visit. */
const MAX_CACHED = 5_000;
/** A longer text is known by its hash, and its concepts are as many as it has phrases. */
const MAX_KEY_LENGTH = 400;
const MAX_CACHED_LENGTH = 4_000;

/** Creates what finds the concepts of texts, with a cache for one import. */
export function createAnnotator(getVocabulary: () => Vocabulary): Annotate {
  const cache = new Map<string, readonly number[]>();
  return (text) => {
    const length = text.title.length + text.body.length;
    if (length > MAX_CACHED_LENGTH) return annotate(getVocabulary(), text);
    const written = JSON.stringify(text);
    const key = length > MAX_KEY_LENGTH ? hash('sha256', written, 'base64') : written;
    const known = cache.get(key);
    if (known !== undefined) return known;
    if (cache.size >= MAX_CACHED) cache.clear();
    const mentions = annotate(getVocabulary(), text);
    cache.set(key, mentions);
    return mentions;
  };
}

const NO_VACCINES: { vaccines: Concept[]; diseases: Concept[] } = { vaccines: [], diseases: [] };

/**
 * Returns the concepts of a text in their roles, ascending: of the codes, of the longest phrases in title and body, and of
 * the kind of entry. A code that contradicts the text adds its concept, as the text adds its own.
 */
function annotate(vocabulary: Vocabulary, text: AnnotatedText): number[] {
  const { kind, title, body } = text;
  const mentions = createMentions(kind === 'family_history' || isAboutRelatives(body));
  const { vaccines, remarks, ...names } =
    kind === 'immunization' ? readVaccineNames(vocabulary, title, body) : { ...NO_VACCINES, remarks: body };
  const imaged = findImaging(vocabulary, text);
  const found = listNamed(vocabulary, text);
  // "HPV, quadrivalent" names the vaccine as it is written, and the disease the other way round.
  const diseases = new Set([...names.diseases, ...(kind === 'immunization' ? found.filter(isDisease) : [])]);
  const named = [...vaccines, ...imaged, ...found].filter((concept) => !diseases.has(concept));
  for (const concept of named) {
    mentions.add(concept, 'named');
    if (concept.kind === 'family-history') listUnderlying(vocabulary, concept).forEach(mentions.addOfOthers);
    if (!mentions.areOthers) mentions.addIds(listRelated(vocabulary, concept), 'related');
  }
  for (const role of ['prevented', 'related'] as const)
    mentions.addIds(
      [...diseases].map(({ id }) => id),
      role,
    );
  if (kind === 'allergy')
    for (const concept of findAllergies(vocabulary, title, named)) mentions.add(concept, 'named');
  addMentioned(vocabulary, mentions, remarks);
  for (const vaccine of named) mentions.addPrevented(listPrevented(vocabulary, vaccine, `${title}\n${body}`));
  mentions.addIds(listKindConcepts(kind), 'namedWider');
  if (kind === 'immunization' && text.isDenied === true) mentions.addIds([VACCINE_NOT_GIVEN], 'named');
  return [...mentions.all].sort((one, other) => one - other);
}

const SAYING = ['named', 'namedWider', 'mentioned', 'mentionedWider'] as const;

function createMentions(areOthers: boolean) {
  const all = new Set<number>();
  const addIds = (ids: readonly number[], role: Role): void => {
    for (const id of ids) all.add(toMention(id, role));
  };
  const addOfOthers = ({ id, ancestors }: Concept): void => addIds([id, ...ancestors], 'ofOthers');
  const add = (concept: Concept, role: 'named' | 'mentioned'): void => {
    if (areOthers) return addOfOthers(concept);
    addIds([concept.id], role);
    addIds(concept.ancestors, `${role}Wider`);
  };
  /** A text that says the disease itself too is of it. */
  const addPrevented = (diseases: readonly Concept[]): void => {
    for (const { id } of diseases)
      if (!SAYING.some((role) => all.has(toMention(id, role)))) addIds([id], 'prevented');
  };
  return { all, areOthers, addIds, addOfOthers, add, addPrevented };
}

const listNamed = (vocabulary: Vocabulary, { title, codes }: AnnotatedText): Concept[] => [
  ...codes.flatMap((code) => findByCode(vocabulary, code)),
  ...[title, ...invertTitle(title)].flatMap((each) =>
    findSided(each, (text) => vocabulary.findPhrases(text, 'record')).flatMap(({ concepts }) =>
      leaveOutNarrower(concepts),
    ),
  ),
];

/** Adds what a body mentions, each in its context. */
function addMentioned(
  vocabulary: Vocabulary,
  mentions: ReturnType<typeof createMentions>,
  body: string,
): void {
  const phrases = findSided(body, vocabulary.findMentions);
  // "Allergy to peanuts" is a phrase of the vocabulary already.
  const statements = findAllergyStatements(vocabulary, body).filter(
    (statement) => !phrases.some(({ start }) => start === statement.start),
  );
  const prevented: Concept[] = [];
  for (const phrase of [...phrases, ...findImagedParts(vocabulary, body, phrases), ...statements]) {
    const { start, end } = phrase;
    const context = mentions.areOthers ? 'affirmed' : readMentionContext(body, start, end);
    if ('isAmbiguous' in phrase && phrase.isAmbiguous === true && context !== 'negated') continue;
    const { vaccines, diseases } =
      context === 'affirmed' && isVaccinated(body, start, end)
        ? readVaccinated(vocabulary, body.slice(start, end), phrase.concepts)
        : NO_VACCINES;
    const concepts = [
      ...leaveOutNarrower(phrase.concepts.filter((each) => !diseases.includes(each))),
      ...vaccines,
      ...findRefused(vocabulary, phrase, { body, vaccines }),
    ];
    prevented.push(...diseases, ...concepts.flatMap((each) => listPrevented(vocabulary, each, body)));
    for (const concept of concepts) {
      const underlying = listUnderlying(vocabulary, concept);
      if (context === 'affirmed') mentions.add(concept, 'mentioned');
      else if (context === 'of-others') [concept, ...underlying].forEach(mentions.addOfOthers);
      else
        mentions.addIds(
          [concept, ...underlying].map(({ id }) => id),
          'negated',
        );
      if (context === 'affirmed' && concept.kind === 'family-history')
        underlying.forEach(mentions.addOfOthers);
    }
  }
  if (!mentions.areOthers) mentions.addPrevented(prevented);
}

/** Kept with the text, so that a question for a disease with a hundred drugs compares one number and not a hundred. */
const listRelated = (vocabulary: Vocabulary, { related, ancestors }: Concept): number[] => [
  ...related,
  ...ancestors.flatMap((id) => vocabulary.getConcept(id)?.related ?? []),
];

/** Lists of diagnoses put the noun first: "Aneurysm, Aorta, Abdominal" is the abdominal aorta aneurysm. */
const invertTitle = (title: string): string[] => {
  const parts = title.split(', ');
  return parts.length < 2 || parts.length > 4 || title.length > 80 ? [] : [parts.toReversed().join(' ')];
};

function findByCode(vocabulary: Vocabulary, code: string): readonly Concept[] {
  const at = code.lastIndexOf('|');
  return vocabulary.findByCode(code.slice(0, at), code.slice(at + 1));
}
