import { toMention, type Role } from '../concepts/annotate.ts';
import type { Concept } from '../concepts/concept.ts';
import type { AskedConcept, Question } from './question.ts';

/** A concept that is asked for, by what `passage.concepts` holds of it (`toMention`). */
export interface AskedIds {
  phrase: string;
  spelled: string | null;
  /** The thing itself, by code or title, and mentioned. */
  named: number[];
  mentioned: number[];
  /** Something narrower. */
  named_wider: number[];
  mentioned_wider: number[];
  /** What tests, treats or prevents it, or is tested, treated or prevented by it. */
  related_named: number[];
  related_mentioned: number[];
  /** Said not to be, or to be somebody else's: a text with these alone does not hold the phrase. */
  unsaid: number[];
}

const NONE = {
  mentioned: [],
  named_wider: [],
  mentioned_wider: [],
  related_named: [],
  related_mentioned: [],
  unsaid: [],
};

/** More relations would make every drug of a common disease an answer. */
const MAX_RELATED = 120;

/**
 * Lists what answers a concept. Asked of the family, only what is said of relatives does, which otherwise never does.
 */
export function listAskedIds(
  { phrase, spelled, readAs }: AskedConcept,
  people: Question['people'],
): AskedIds {
  const ids = readAs.map(({ id }) => id);
  const list = (concepts: readonly number[], ...roles: Role[]): number[] =>
    roles.flatMap((role) => concepts.map((id) => toMention(id, role)));
  if (people === 'family') return { ...NONE, phrase, spelled, named: list(ids, 'ofOthers') };
  const related = listRelated(readAs);
  return {
    phrase,
    spelled,
    named: list(ids, 'named'),
    mentioned: list(ids, 'mentioned'),
    named_wider: list(ids, 'namedWider'),
    mentioned_wider: list(ids, 'mentionedWider'),
    related_named: list(related, 'named', 'namedWider'),
    related_mentioned: list(related, 'mentioned'),
    unsaid: list(ids, 'negated', 'ofOthers'),
  };
}

const listRelated = (readAs: readonly Concept[]): number[] =>
  [...new Set(readAs.flatMap(({ related }) => related))].slice(0, MAX_RELATED);
