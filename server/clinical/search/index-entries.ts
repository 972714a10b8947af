import type { PatientId } from '../../../contract/brands.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { deletePassageUses, insertPassages, takeWaitingWords } from './passages.sql.ts';
import type { PassageRow } from './passages.ts';

/**
 * Characters of passages that are added with their entries, as those of most pages are, and in one transaction by
 * themselves. The embedded engine does nothing else meanwhile: 8 MB of distinct words held up others for 4.4 s. Smaller parts of
 * ordinary pages made a large import a third slower, for each is a commit.
 */
const MAX_TOGETHER = 128 * 1024;
const MAX_ALONE = 16 * 1024;

/** Words of passages that are added with their entries, each counted once: 13,000 took 0.3 s. */
const MAX_WORDS_TOGETHER = 2000;

/** Ordinary pages have fewer. */
const MAX_WORDS_WAITING = 320;

export interface IndexedPassages {
  /** The resources whose passages are replaced. */
  seqs: readonly number[];
  /**
   * Of their present entries. They were built before the transaction, which holds the embedded engine: finding the concepts
   * of 4 MB of text within it held up all others for seconds.
   */
  passages: readonly PassageRow[];
}

/** Replaces the passages of some resources by those of their present entries; returns those that are left to be added. */
export async function indexPassages(
  tx: Tx,
  patientId: PatientId,
  { seqs, passages }: IndexedPassages,
): Promise<PassageRow[][]> {
  const left = areMany(passages) ? splitPassages(passages) : [];
  await Promise.all([
    tx.query(deletePassageUses(patientId, seqs)),
    passages.length > 0 &&
      left.length === 0 &&
      tx.query(insertPassages(patientId, passages, { mayBeThere: false })),
  ]);
  return left;
}

/** Adds passages, in a transaction of their own: an entry is found by its later words a moment after it is there. */
export async function addPassages(
  tx: Tx,
  patientId: PatientId,
  passages: readonly PassageRow[],
): Promise<void> {
  await tx.query(insertPassages(patientId, passages, { mayBeThere: true }));
}

/**
 * Has the index of words take those of passages that were added, by itself, where they are more than an ordinary page has. They
 * would wait for the index with those of others, which took 0.15 s together, in the turn of whoever adds the next.
 */
export async function indexWaitingWords(db: Db, passages: readonly PassageRow[]): Promise<void> {
  if (db.engine === 'embedded' && countWords(passages, MAX_WORDS_WAITING) > MAX_WORDS_WAITING)
    await db.query(takeWaitingWords);
}

function areMany(passages: readonly PassageRow[]): boolean {
  const distinct = [...new Map(passages.map((passage) => [passage.hash, passage])).values()];
  return (
    distinct.reduce((sum, passage) => sum + countCharacters(passage), 0) > MAX_TOGETHER ||
    countWords(distinct, MAX_WORDS_TOGETHER) > MAX_WORDS_TOGETHER
  );
}

/** Counts their words, each once; beyond `limit` it counts no further, and where they are fewer in any case none of them. */
function countWords(passages: readonly PassageRow[], limit: number): number {
  const most = countGaps(passages) + 2 * passages.length;
  if (most <= limit) return most;
  const words = new Set<string>();
  for (const { title, body } of passages) {
    for (const word of `${title} ${body}`.split(/\s+/)) words.add(word);
    if (words.size > limit) break;
  }
  return words.size;
}

/** Counts the characters that may stand between two words. */
function countGaps(passages: readonly PassageRow[]): number {
  let gaps = 0;
  for (const { title, body } of passages)
    for (const text of [title, body])
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (code <= 0x20 || code >= 0x80) gaps++;
      }
  return gaps;
}

const countCharacters = ({ title, body }: PassageRow): number => title.length + body.length;

function splitPassages(passages: readonly PassageRow[]): PassageRow[][] {
  const parts: PassageRow[][] = [];
  let left = 0;
  for (const passage of passages) {
    const length = countCharacters(passage);
    if (length > left) {
      parts.push([]);
      left = MAX_ALONE;
    }
    parts.at(-1)?.push(passage);
    left -= length;
  }
  return parts;
}
