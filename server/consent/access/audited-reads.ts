import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { selectAudited, type AuditedAnswer, type AuditedCall } from './audited-reads.sql.ts';
import type { RecordQuery } from './record-access.ts';

/**
 * Reads for several calls at once: the answer to each, in their order, whose audit entry is durable then; null where its consent or
 * its token does not permit it, or nothing is found.
 */
export async function readAudited(
  { db, clock }: { db: Db; clock: Clock },
  calls: readonly AuditedCall[],
  query: RecordQuery<AuditedAnswer>,
): Promise<(string | null)[]> {
  const rows = await db.query(selectAudited(calls, query, clock.now()));
  const byEntry = new Map(rows.map((row) => [row.entry_id, row]));
  return calls.map(({ access, entry }) => {
    const row = byEntry.get(entry.entry_id);
    // Whose answer it is, by the row that it was read from.
    return row?.patient_id === access.patientId && row.project_id === access.projectId ? row.text : null;
  });
}
