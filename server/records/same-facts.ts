import type { PatientId } from '../../contract/ids.ts';
import { one, type Tx } from '../storage/db.ts';
import { markDuplicateNotes, notesToldTwice } from './entries.sql.ts';
import { marksOf } from './same-fact/marks.ts';
import * as statements from './same-facts.sql.ts';

const PAGE = 1_000;

/**
 * Marks what the record tells more than once: notes in two resources of one source, and facts told by several sources.
 * Of one source, which most records are, only the notes are compared.
 */
export async function markSameFacts(tx: Tx, patientId: PatientId): Promise<void> {
  const { several } = await one(tx, statements.hasSeveralSources(patientId));
  if (!several) {
    await tx.query(statements.forgetLinks(patientId));
    await tx.query(markDuplicateNotes(patientId));
    return;
  }
  const wanted = await wantedLinks(tx, patientId);
  for (let from = 0; from < wanted.length; from += PAGE)
    await tx.query(statements.writeLinks(patientId, wanted.slice(from, from + PAGE)));
}

/** What each entry's links should be, those that should have none any more included. */
async function wantedLinks(tx: Tx, patientId: PatientId): Promise<statements.WantedLinks[]> {
  const wanted = new Map<string, statements.WantedLinks>();
  const want = ({ seq, ordinal }: { seq: number; ordinal: number }): statements.WantedLinks => {
    const key = `${seq}/${ordinal}`;
    const known = wanted.get(key) ?? { seq, ordinal, elsewhere: 'null', insteadOf: [] };
    wanted.set(key, known);
    return known;
  };
  for (const row of await tx.query(statements.linkedEntries(patientId))) want(row);
  for (const row of await tx.query(notesToldTwice(patientId))) want(row).insteadOf = row.instead_of;
  for (const { kind } of await tx.query(statements.kindsOfSeveralSources(patientId))) {
    // A kind at a time, so that no more than that is held in memory.
    for (const mark of await marksOf(await tx.query(statements.comparedEntries(patientId, kind)))) {
      const links = want(mark);
      links.elsewhere = JSON.stringify(mark.elsewhere);
      links.insteadOf = [...new Set([...links.insteadOf, ...mark.insteadOf])].sort((a, b) => a - b);
    }
  }
  return [...wanted.values()];
}
