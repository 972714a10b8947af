import { toMention, type Role } from '../concepts/annotate.ts';
import type { Concept } from '../concepts/concept.ts';
import { listSpellings } from './spellings.ts';
import { asksForRelatives, type AskedConcept, type Question } from './question.ts';

/** A concept that is asked for, by what `passage.concepts` holds of it (`toMention`). */
export interface AskedIds {
  /** The phrase as written, in British and in American spelling, as spelled, and the names of what it may mean. */
  phrases: string[];
  weight: number;
  /** The first of what it may mean. */
  name: string;
  /** The thing itself, by code or title, and mentioned. */
  named: number[];
  mentioned: number[];
  /** Something narrower. */
  named_wider: number[];
  mentioned_wider: number[];
  /** The illnesses that a symptom may be of: they do not say that there was the symptom. */
  named_illness: number[];
  mentioned_illness: number[];
  /** What tests, treats or prevents it, or is tested, treated or prevented by it. */
  related: number[];
  /** What answers where nothing else does, and is said to be no more than near: tests and drugs of it and of little else, and vaccines against it. */
  near: number[];
  /** Said not to be. */
  denied: number[];
  /** Said not to be, or to be somebody else's, or what a vaccine is against: a text with these alone does not hold the phrase. */
  unsaid: number[];
}

const NONE = {
  mentioned: [],
  named_wider: [],
  mentioned_wider: [],
  named_illness: [],
  mentioned_illness: [],
  denied: [],
  related: [],
  near: [],
  unsaid: [],
};

/** More relations would make every drug of a common disease an answer. */
const MAX_RELATED = 120;
/** A lung or a heart has a hundred and fifty. */
const MAX_SIGNS = 200;

/**
 * Lists what answers a concept. Asked of the family, only what is said of relatives does, which otherwise never does; asked
 * what is taken for it, what treats it; asked whether it is denied, first what denies it, then what says it.
 */
export function listAskedIds(
  { phrase, spelled, readAs, isNot = [], isDenied = false, isBare = false }: AskedConcept,
  { people, kinds }: Pick<Question, 'people' | 'kinds'>,
): AskedIds {
  const ids = readAs.map(({ id }) => id);
  const phrases = [
    ...new Set([
      // What the vocabulary takes for a misspelling may be a word of the record in the other spelling.
      ...listSpellings(phrase.toLowerCase()),
      ...(spelled === null ? [] : [spelled]),
      ...readAs.slice(0, MAX_NAMES).map(({ name }) => name),
    ]),
  ].filter((each) => !ENDS_UNREAD.test(each));
  const common = { name: readAs[0]?.name ?? phrase, phrases, weight: getWeight(readAs) };
  if (asksForRelatives({ people }))
    return { ...NONE, ...common, phrases: [], ...listSaidOfRelatives(readAs) };
  if (isDenied)
    return {
      ...NONE,
      ...common,
      named: list(ids, 'negated'),
      mentioned: list(ids, 'named', 'mentioned', 'namedWider', 'mentionedWider'),
      unsaid: list(ids, 'ofOthers', 'prevented'),
    };
  const all = listDistinct(readAs, 'akin');
  const isSymptom = readAs.every(({ kind }) => kind === 'symptoms');
  const [akin, illnesses] = isSymptom ? [[], all] : [all, []];
  return {
    ...common,
    named: [...list(ids, 'named'), ...list(listOfRelatives(readAs), 'ofOthers')],
    mentioned: list(ids, 'mentioned', ...(isBare ? (['prevented'] as const) : [])),
    named_wider: [...list(ids, 'namedWider'), ...list(akin, 'named', 'namedWider')],
    mentioned_wider: [...list(ids, 'mentionedWider'), ...list(akin, 'mentioned', 'mentionedWider')],
    named_illness: list(illnesses, 'named', 'namedWider'),
    mentioned_illness: list(illnesses, 'mentioned', 'mentionedWider'),
    denied: list(ids, 'negated'),
    related: asksForDrugs(kinds)
      ? list(listDistinct(readAs, 'treatments'), 'named', 'namedWider')
      : list(ids, 'related'),
    near: [
      ...list(listDistinct(readAs, 'signs'), 'named', 'namedWider'),
      // That a vaccine against it was given is what many ask who name the disease: never for it, but not to be denied.
      ...list(ids, 'prevented'),
    ],
    unsaid: [
      ...list(ids, 'negated', 'ofOthers', ...(isBare ? [] : (['prevented'] as const))),
      ...listSaid(isNot),
    ],
  };
}

const MAX_NAMES = 3;

/** The index has no such word at the end: "living will" would be found by "live", and "hepatitis A" by any hepatitis. */
const ENDS_UNREAD = /^\S+ (?:a|i|will)$/i;

const list = (concepts: readonly number[], ...roles: Role[]): number[] =>
  roles.flatMap((role) => concepts.map((id) => toMention(id, role)));

const listSaid = (concepts: readonly Concept[]): number[] =>
  list(
    concepts.map(({ id }) => id),
    'named',
    'mentioned',
    'namedWider',
    'mentionedWider',
  );

const listDistinct = (
  concepts: readonly Concept[],
  relation: 'akin' | 'related' | 'signs' | 'treatments',
): number[] =>
  [...new Set(concepts.flatMap((concept) => concept[relation]))].slice(
    0,
    relation === 'signs' ? MAX_SIGNS : MAX_RELATED,
  );

/** "Family history of diabetes" is diabetes, said of a relative. */
const listOfRelatives = (readAs: readonly Concept[]): number[] =>
  listDistinct(
    readAs.filter(({ kind }) => kind === 'family-history'),
    'related',
  );

/** What is said of relatives, and the history that is theirs by its name. */
function listSaidOfRelatives(
  readAs: readonly Concept[],
): Pick<AskedIds, 'named' | 'mentioned' | 'named_wider'> {
  const ids = [...readAs.map(({ id }) => id), ...listOfRelatives(readAs)];
  const familial = readAs.filter(({ kind }) => kind === 'family-history').map(({ id }) => id);
  return {
    named: [...list(ids, 'ofOthers'), ...list(familial, 'named')],
    mentioned: list(familial, 'mentioned'),
    named_wider: list(familial, 'namedWider', 'mentionedWider'),
  };
}

/** Whether the question asks what is taken: "which of my pills are for blood pressure". */
export const asksForDrugs = (kinds: Question['kinds']): boolean =>
  kinds.some(({ kind, weight }) => kind === 'medication' && weight >= 0.5);

/** Whether the question is about allergies as a kind. */
export const asksForAllAllergies = (question: Pick<Question, 'people' | 'kinds'>): boolean =>
  !asksForRelatives(question) &&
  question.kinds.some(({ kind, weight }) => kind === 'allergy' && weight === 1);

/** Whether the question is about allergies, or about one. */
export const asksForAllergies = (question: Pick<Question, 'people' | 'kinds' | 'concepts'>): boolean =>
  asksForAllAllergies(question) ||
  (!asksForRelatives(question) &&
    question.concepts.some(({ readAs }) => readAs.some(({ slug }) => ALLERGY.test(slug))));

const ALLERGY = /(?:^|-)allergy$/;

/** A concept with so many narrower ones ("vaccine", "surgery", "screening test") is a kind of thing rather than one. */
const MIN_GENERAL_BREADTH = 40;
const GENERAL_WEIGHT = 0.4;

const getWeight = (readAs: readonly Concept[]): number =>
  readAs.some(({ breadth }) => breadth < MIN_GENERAL_BREADTH) ? 1 : GENERAL_WEIGHT;
