import type { PatientId } from '../../../../contract/brands.ts';
import type { Db } from '../../../platform/db/db.ts';
import { toLogMessage } from '../../../platform/kernel/log-message.ts';
import { rebuildEntries, type RebuildDeps } from './rebuild-entries.ts';
import { LabelingOvertaken } from './replace-entries.ts';
import { isPatientGone } from './write-page.ts';
import { listRecordsAfter } from '../../store/records.sql.ts';

const PAGE = 100;

/** Of how many records that could not be rebuilt it is said which. */
const NAMED = 100;

export interface Reindexed {
  /** How many records were rebuilt. */
  records: number;
  /** How many could not be: readers have them as they were read before. */
  failed: number;
  /** The first of these, with the kind of the error: its message may quote the record. */
  failures: { patientId: PatientId; error: string }[];
}

/** Rebuilds the entries of every record, one after another; one that cannot be rebuilt costs no other. */
export async function reindexAll(deps: RebuildDeps): Promise<Reindexed> {
  const done: Reindexed = { records: 0, failed: 0, failures: [] };
  for (let after: PatientId | null = null; ;) {
    const page: { patient_id: PatientId }[] = await listPage(deps.db, after);
    if (page.length === 0) return done;
    for (const { patient_id: patientId } of page) await rebuild(deps, patientId, done);
    after = page.at(-1)?.patient_id ?? null;
  }
}

async function rebuild(deps: RebuildDeps, patientId: PatientId, done: Reindexed): Promise<void> {
  try {
    await rebuildEntries(deps, { patientId, batchId: null });
    done.records++;
  } catch (error) {
    if (isPatientGone(error)) return;
    // Another run labels all of the record then, by the rules of the service that reads it; a job looks after one that is killed.
    if (error instanceof LabelingOvertaken) return void done.records++;
    done.failed++;
    if (done.failures.length < NAMED) done.failures.push({ patientId, error: nameError(error) });
  }
}

const nameError = (error: unknown): string =>
  `${error instanceof Error ? error.name : 'Error'} ${toLogMessage(error)}`.trimEnd();

const listPage = (db: Db, after: PatientId | null): Promise<{ patient_id: PatientId }[]> =>
  db.query(listRecordsAfter(after ?? ('00000000-0000-0000-0000-000000000000' as PatientId), PAGE));
