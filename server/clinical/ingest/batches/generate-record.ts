import { randomInt } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { OrganizationCaller } from '../../../../contract/audience.ts';
import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import { requireTestPatient } from '../../../identity/patients/test-patients.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { toActor } from '../../../platform/audit/append.ts';
import { invalidInput } from '../../../platform/kernel/refusal.ts';
import { receiveUpload, type ReceiveDeps } from './receive-upload.ts';

interface SyntheticPlan {
  seed: number;
  years: number;
  /** The last day of the record. */
  endsOn: string;
  patient: { firstName: string; lastName: string; birthDate?: string };
}

/**
 * Returns an upload archive with a made-up record; throws a RangeError when the plan makes no believable one. The generator is
 * a tool beside the service, loaded when somebody asks for a record.
 */
export type OpenSyntheticRecord = (plan: SyntheticPlan) => Promise<Readable>;

export interface GenerateDeps extends ReceiveDeps {
  openSyntheticRecord: OpenSyntheticRecord;
}

interface RecordToGenerate {
  caller: OrganizationCaller;
  patientId: PatientId;
  years: number;
  /** Absent: any. */
  seed?: number | undefined;
}

/** Far fewer than there may be: one that a person can type. */
const SEEDS = 1_000_000;

/** Makes up a record for a test patient and takes it as an upload of theirs, within the same quotas. */
export async function generateRecord(
  deps: GenerateDeps,
  { caller, patientId, years, seed = randomInt(SEEDS) }: RecordToGenerate,
): Promise<{ batchId: BatchId; seed: number }> {
  const { organizationId } = caller;
  const person = await requireTestPatient(deps.db, organizationId, patientId);
  const archive = await openArchive(deps.openSyntheticRecord, {
    seed,
    years,
    endsOn: deps.clock.now().toISOString().slice(0, 10),
    patient: {
      firstName: person.first_name,
      lastName: person.last_name,
      ...(person.date_of_birth !== null && { birthDate: person.date_of_birth }),
    },
  });
  try {
    const onEnqueued = (tx: Tx, id: BatchId): Promise<void> =>
      deps.audit.write(tx, {
        organizationId,
        action: 'test_patient.record_generated',
        actor: toActor(caller),
        patientId,
        detail: { batchId: id, years, seed },
      });
    const batchId = await receiveUpload(deps, { patientId, onEnqueued }, (into) => into(archive));
    return { batchId, seed };
  } finally {
    archive.destroy();
  }
}

async function openArchive(
  open: GenerateDeps['openSyntheticRecord'],
  plan: SyntheticPlan,
): Promise<Readable> {
  try {
    return await open(plan);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidInput([{ path: 'years', message: error.message }]);
  }
}
