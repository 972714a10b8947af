import type { PatientId } from '../../../contract/brands.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { deletePassageUses, indexWaitingWords, insertPassages } from './passages.sql.ts';
import type { PassageRow } from './passages.ts';

/**
 * Characters of passages that are added with their entries, as those of most pages are, and in one transaction by
 * themselves. The embedded engine does nothing else meanwhile: 8 MB of distinct words held up others for 4.4 s. Smaller parts of
 * ordinary pages made a large import a third slower, for each is a commit.
 */
const MAX_TOGETHER = 128 * 1024;
const MAX_ALONE = 16 * 1024;

/** Words of passages that are added with their entries, each counted once. Ordinary pages have 320 at most; 13,000 took 0.3 s. */
const MAX_WORDS_TOGETHER = 2000;

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
  if (areMany(passages)) return splitPassages(passages);
  if (passages.length > 0) await tx.query(insertPassages(patientId, passages, { mayBeThere: false }));
  return [];
}

/**
 * Adds passages, in a transaction of their own: an entry is found by its later words a moment after it is there. Their words
 * go into the index at once: in the list of what waits for it there would be those of many parts, which took 0.15 s together.
 */
export async function addPassages(
  tx: Tx,
  {
    patientId,
    passages,
    engine,
  }: { patientId: PatientId; passages: readonly PassageRow[]; engine: Db['engine'] },
): Promise<void> {
  await tx.query(insertPassages(patientId, passages, { mayBeThere: true }));
  if (engine === 'embedded') await tx.query(indexWaitingWords);
}

function areMany(passages: readonly PassageRow[]): boolean {
  const words = new Set<string>();
  let characters = 0;
  for (const passage of new Map(passages.map((each) => [each.hash, each])).values()) {
    characters += countCharacters(passage);
    for (const word of passage.title.split(/\s+/)) words.add(word);
    for (const word of passage.body.split(/\s+/)) words.add(word);
    if (characters > MAX_TOGETHER || words.size > MAX_WORDS_TOGETHER) return true;
  }
  return false;
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
