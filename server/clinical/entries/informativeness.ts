import type { Entry } from './entry.ts';

/** "SNOMED CT 247472004", "12345": a code that stands where a name belongs. */
const CODE_LIKE = /^(?:[A-Z][\w-]*(?: CT)? )?[A-Z]?[\d.-]{2,}$/;
const MAX_SCORE = 1_000;

/** Scores how much an entry says besides its date: a fact in words counts more than one that is only a code. */
export function scoreInformativeness({ title, detail }: Pick<Entry, 'title' | 'detail'>): number {
  const pending: unknown[] = [title, detail];
  let score = 0;
  while (pending.length > 0 && score < MAX_SCORE) {
    const value = pending.pop();
    if (typeof value === 'string') score += value === '' ? 0 : CODE_LIKE.test(value) ? 1 : 3;
    else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) pending.push(inner);
  }
  return Math.min(score, MAX_SCORE);
}
