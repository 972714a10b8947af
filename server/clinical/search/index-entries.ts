import type { PatientId } from '../../../contract/brands.ts';
import type { Annotate } from '../concepts/annotate.ts';
import type { NewEntry } from '../entries/entries.sql.ts';
import type { Tx } from '../../platform/db/db.ts';
import { deletePassageUses, insertPassages } from './passages.sql.ts';
import { buildPassageRows, type PassageRow } from './passages.ts';

/**
 * Characters of passages that are added with their entries, as those of most pages are, and in one transaction by
 * themselves. The embedded engine does nothing else meanwhile: 8 MB of distinct words held up others for 4.4 s. 64 kB of them
 * take 0.1 to 0.2 s of its thread; smaller parts of ordinary pages made a large import a third slower, for each is a commit.
 */
const MAX_TOGETHER = 128 * 1024;
const MAX_ALONE = 64 * 1024;

export interface IndexedEntries {
  /** The resources whose passages are replaced. */
  seqs: readonly number[];
  entries: readonly NewEntry[];
  annotate: Annotate;
}

/** Replaces the passages of some resources by those of their present entries; returns those that are left to be added. */
export async function indexEntries(
  tx: Tx,
  patientId: PatientId,
  { seqs, entries, annotate }: IndexedEntries,
): Promise<PassageRow[][]> {
  await tx.query(deletePassageUses(patientId, seqs));
  const passages = buildPassageRows(entries, annotate);
  const distinct = new Map(passages.map((passage) => [passage.hash, passage]));
  if (distinct.values().reduce((sum, passage) => sum + countCharacters(passage), 0) > MAX_TOGETHER)
    return splitPassages(passages);
  if (passages.length > 0) await addPassages(tx, patientId, passages);
  return [];
}

/** Adds passages, in a transaction of their own: an entry is found by its later words a moment after it is there. */
export async function addPassages(
  tx: Tx,
  patientId: PatientId,
  passages: readonly PassageRow[],
): Promise<void> {
  await tx.query(insertPassages(patientId, passages));
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
