import type { EntryFilter } from '../../platform/audit/entries.sql.ts';
import { findOrganizationAuditEntries, type SliceEntryRow } from '../../platform/audit/slice.sql.ts';
import type { Db } from '../../platform/db/db.ts';
import { toCsvLine } from '../../platform/kernel/csv.ts';

const PAGE_SIZE = 500;

const COLUMNS = [
  'at',
  'action',
  'outcome',
  'actor_kind',
  'actor_id',
  'client',
  'project_id',
  'patient_id',
  'consent_record_id',
  'detail',
  'block',
  'entry_id',
] as const;

/** Exports the entries of a filter as CSV, oldest first. */
export async function* exportCsv(db: Db, filter: EntryFilter & { until: string }): AsyncGenerator<string> {
  yield toCsvLine(COLUMNS);
  for (let after: string | null = null; ;) {
    const page: SliceEntryRow[] = await db.query(findOrganizationAuditEntries(filter, after, PAGE_SIZE));
    yield page.map((row) => toCsvLine(COLUMNS.map((column) => row[column]))).join('');
    after = page.at(-1)?.entry_id ?? null;
    if (after === null || page.length < PAGE_SIZE) return;
  }
}
