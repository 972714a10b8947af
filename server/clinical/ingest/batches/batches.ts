import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import { one, type Db } from '../../../platform/db/db.ts';
import type { UploadBatch } from '../../../../contract/account/uploads.ts';
import { leaveOutVague } from '../persons/compare-persons.ts';
import { formatPerson } from '../persons/format-person.ts';
import { loadKnownPersons } from '../persons/known-persons.ts';
import { selectPersons } from './batch-persons.sql.ts';
import { selectHasQuestion, selectUploadsInFlight, type BatchRow } from './uploads.sql.ts';

type BatchDto = Omit<UploadBatch, 'rejected' | 'notes'>;
type Question = NonNullable<UploadBatch['question']>;

/** Maps batches to the wire, without their rejections; those that wait for an answer with what is asked. */
export async function toBatchDtos(
  db: Db,
  patientId: PatientId,
  rows: readonly BatchRow[],
): Promise<BatchDto[]> {
  const questions = await loadQuestions(db, patientId, rows);
  return rows.map((row) => toBatchDto(row, questions.get(row.batch_id) ?? null));
}

async function loadQuestions(
  db: Db,
  patientId: PatientId,
  rows: readonly BatchRow[],
): Promise<Map<BatchId, Question>> {
  const held = rows.filter(({ status }) => status === 'needs_confirmation');
  const known = held.length === 0 ? null : await loadKnownPersons(db, patientId);
  if (!known) return new Map();
  const ids = held.map(({ batch_id: batchId }) => batchId);
  const persons = Map.groupBy(
    await db.query(selectPersons(patientId, ids)),
    ({ batch_id: batchId }) => batchId,
  );
  const account = formatPerson(known.account);
  const record = leaveOutVague(known.record).slice(0, MAX_KNOWN).map(formatPerson);
  return new Map(
    held.map(({ batch_id: batchId, persons_total: total }) => [
      batchId,
      {
        persons: (persons.get(batchId) ?? []).map(({ name, birth_date: birthDate, sex, path, differs }) => ({
          name,
          birthDate,
          sex,
          path,
          differs,
        })),
        total,
        account,
        record,
      },
    ]),
  );
}

/** Those whom the record names, of whom a question reminds. */
const MAX_KNOWN = 5;

const toBatchDto = (row: BatchRow, question: Question | null): BatchDto => ({
  batchId: row.batch_id,
  sourceId: row.source_id,
  status: row.status,
  paths: row.paths,
  receivedAt: row.received_at.toISOString(),
  completedAt: row.completed_at?.toISOString() ?? null,
  documents: {
    total: row.documents_total,
    processed: row.documents_processed,
    rejected: row.documents_rejected,
  },
  resources: {
    created: row.resources_created,
    updated: row.resources_updated,
    unchanged: row.resources_unchanged,
  },
  question,
});

/** Says whether an archive waits for the patient's answer whether it is about them. */
export const hasQuestion = async (db: Db, patientId: PatientId): Promise<boolean> =>
  (await one(db, selectHasQuestion(patientId))).asked;

/** Says whether archives of the patient are still being read. */
export const hasUploadsInFlight = async (db: Db, patientId: PatientId): Promise<boolean> =>
  (await one(db, selectUploadsInFlight(patientId))).in_flight;
