import type { PatientId } from '../../../contract/brands.ts';
import type { Tx } from '../../platform/db/db.ts';
import { deletePassageUses, insertPassages } from './passages.sql.ts';
import type { PassageRow } from './passages.ts';

/**
 * Characters of passages that are added with their entries, as those of most pages are, and in one transaction by
 * themselves. The embedded engine does nothing else meanwhile: 8 MB of distinct words held up others for 4.4 s. 16 kB of them
 * take it 5 to 10 ms, or 50 when its index takes what waits for it, and a call has some four statements that each wait for one;
 * smaller parts of ordinary pages made a large import a third slower, for each is a commit.
 */
const MAX_TOGETHER = 128 * 1024;
const MAX_ALONE = 16 * 1024;

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
  await tx.query(deletePassageUses(patientId, seqs));
  const distinct = new Map(passages.map((passage) => [passage.hash, passage]));
  if (distinct.values().reduce((sum, passage) => sum + countCharacters(passage), 0) > MAX_TOGETHER)
    return splitPassages(passages);
  if (passages.length > 0) await tx.query(insertPassages(patientId, passages, { mayBeThere: false }));
  return [];
}

/** Adds passages, in a transaction of their own: an entry is found by its later words a moment after it is there. */
export async function addPassages(
  tx: Tx,
  patientId: PatientId,
  passages: readonly PassageRow[],
): Promise<void> {
  await tx.query(insertPassages(patientId, passages, { mayBeThere: true }));
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
