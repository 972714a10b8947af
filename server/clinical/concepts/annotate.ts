import { hash } from 'node:crypto';
import { CONCEPT_ID_BITS, type Concept } from './concept.ts';
import { listKindConcepts, type EntryKind } from './kind-concepts.ts';
import { isAboutRelatives, readMentionContext } from './mention-context.ts';
import { splitWords } from './split-words.ts';
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

/**
 * Returns the concepts of a text in their roles, ascending: of the codes, of the longest phrases in title and body, and of
 * the kind of entry. A code that contradicts the text adds its concept, as the text adds its own.
 */
function annotate(vocabulary: Vocabulary, { kind, title, body, codes }: AnnotatedText): number[] {
  const mentions = new Set<number>();
  const areOthers = kind === 'family_history' || isAboutRelatives(body);
  const add = (concept: Concept, role: 'named' | 'mentioned'): void => {
    mentions.add(toMention(concept.id, areOthers ? 'ofOthers' : role));
    for (const id of concept.ancestors) mentions.add(toMention(id, areOthers ? 'ofOthers' : `${role}Wider`));
  };
  const named = [
    ...codes.flatMap((code) => findByCode(vocabulary, code)),
    ...[title, ...invertTitle(title)].flatMap((each) =>
      vocabulary.findPhrases(each, 'record').flatMap(({ concepts }) => concepts),
    ),
  ];
  for (const concept of named) {
    add(concept, 'named');
    if (!areOthers) for (const id of listRelated(vocabulary, concept)) mentions.add(toMention(id, 'related'));
  }
  if (kind === 'allergy')
    for (const concept of findAllergies(vocabulary, title, named)) add(concept, 'named');
  for (const { concepts, start, end } of vocabulary.findPhrases(body, 'record')) {
    const context = areOthers ? 'affirmed' : readMentionContext(body, start, end);
    for (const concept of concepts)
      if (context === 'affirmed') add(concept, 'mentioned');
      else if (context === 'negated') mentions.add(toMention(concept.id, 'negated'));
      else for (const id of [concept.id, ...concept.ancestors]) mentions.add(toMention(id, 'ofOthers'));
  }
  for (const id of listKindConcepts(kind)) mentions.add(toMention(id, 'namedWider'));
  return [...mentions].sort((one, other) => one - other);
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

/** An allergy names its substance alone, "Penicillin G": it is the penicillin allergy. */
function findAllergies(vocabulary: Vocabulary, title: string, named: readonly Concept[]): Concept[] {
  const words = splitWords(title).map(({ start, end }) => title.slice(start, end));
  const substances = [
    ...words,
    ...words.slice(1).map((word, index) => `${words[index]} ${word}`),
    ...named.flatMap(({ ancestors }) => ancestors.flatMap((id) => vocabulary.getConcept(id)?.name ?? [])),
  ];
  const isDrug = named.some((concept) => concept.kind === 'drugs' || concept.kind === 'drug-classes');
  return [...substances, ...(isDrug ? ['drug'] : [])].flatMap((substance) => {
    const text = `${substance} allergy`;
    const [match] = vocabulary.findPhrases(text, 'record');
    return match?.start === 0 && match.end === text.length ? match.concepts : [];
  });
}
