import type { PatientId } from '../../../../contract/brands.ts';
import type { Db } from '../../../platform/db/db.ts';
import { rebuildEntries, type RebuildDeps } from './rebuild-entries.ts';
import { LabelingOvertaken } from './replace-entries.ts';
import { listRecordsAfter } from '../../store/records.sql.ts';

const PAGE = 100;

/** Rebuilds the entries of every record, one after another. */
export async function reindexAll(deps: RebuildDeps): Promise<{ records: number }> {
  let records = 0;
  for (let after: PatientId | null = null; ;) {
    const page: { patient_id: PatientId }[] = await listPage(deps.db, after);
    if (page.length === 0) return { records };
    for (const { patient_id } of page)
      await rebuildEntries(deps, { patientId: patient_id, batchId: null }).catch(ignoreOvertaken);
    records += page.length;
    after = page.at(-1)?.patient_id ?? null;
  }
}

/** Another run labels all of the record then, by the rules of the service that reads it; a job looks after one that is killed. */
function ignoreOvertaken(error: unknown): void {
  if (!(error instanceof LabelingOvertaken)) throw error;
}

const listPage = (db: Db, after: PatientId | null): Promise<{ patient_id: PatientId }[]> =>
  db.query(listRecordsAfter(after ?? ('00000000-0000-0000-0000-000000000000' as PatientId), PAGE));
