import type { AnswerBasis } from '../../../clinical/store/kept-answers.sql.ts';
import type { AnswerRead } from './read-answer.ts';

/** What an answer may be kept by; null where a part of it is of another version, or of what passes. */
export const toBasis = (
  ...reads: readonly Pick<AnswerRead<object>, 'version' | 'withheld' | 'pending'>[]
): AnswerBasis | null => {
  const [first] = reads;
  if (first === undefined || first.version === null) return null;
  const isSame = reads.every(
    ({ version, withheld, pending }) =>
      version === first.version && withheld === first.withheld && pending === null,
  );
  return isSame ? { version: first.version, withheld: first.withheld } : null;
};
