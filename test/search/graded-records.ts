import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import type { PatientCaller } from '../../contract/audience.ts';
import type { PatientId, ProjectId } from '../../contract/brands.ts';
import { recordAccessFor, type ConsentedAccess } from '../../server/consent/access/record-access.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import {
  createZip,
  DATA_FOLDER,
  readPatientFiles,
  readZipFiles,
  samplePatients,
  type File,
} from '../data/sample-data.ts';
import { newTestPatient, upload, type TestService } from '../harness/service.ts';

/** Uploads a record that graded queries are asked of to a patient of its own, who consents to everything. */
export async function importGradedRecord(service: TestService, record: string): Promise<ConsentedAccess> {
  const patient = await newTestPatient(service);
  const batch = await upload(service, patient, await createZip(await readRecordFiles(record)));
  if (!(batch.status as string).startsWith('completed'))
    throw new Error(`${record}: ${JSON.stringify(batch)}`);
  return openRecord(patient.id as PatientId, patient.projectId as ProjectId);
}

/** A permission to read what a patient's consent to the project covers, as a token of theirs gives it. */
export const openRecord = (patientId: PatientId, projectId: ProjectId): ConsentedAccess =>
  recordAccessFor({
    kind: 'patient',
    patientId,
    projectId,
    organizationId: generateId(),
    firstName: '',
    lastName: '',
    isTestPatient: true,
    client: 'direct',
    grantId: null,
    credentialId: null,
    tokenExpiresAt: new Date('2100-01-01'),
  } satisfies PatientCaller);

/** Reads the files that a label's `record` names; the README beside says how. */
export async function readRecordFiles(record: string): Promise<File[]> {
  const [path = '', patientId] = record.split('#');
  const [file = '', member] = path.split('!');
  if (patientId !== undefined) return readBulkRecord(file, patientId);
  if (file.endsWith('.zip')) {
    const files = await readZipFiles(join(DATA_FOLDER, file));
    return member === undefined ? files : files.filter((each) => each.path === member);
  }
  const sample = samplePatients().find((each) => each.file === file);
  return sample ? readPatientFiles(sample) : [unpackFile(join(DATA_FOLDER, file))];
}

function readBulkRecord(folder: string, patientId: string): File[] {
  const sample = samplePatients().find((each) => each.patientId === patientId);
  if (sample) return readPatientFiles(sample);
  return globSync(join(DATA_FOLDER, folder, '*.ndjson.gz')).map((file) => {
    const { path, bytes } = unpackFile(file);
    const lines = bytes.toString().split('\n');
    return { path, bytes: Buffer.from(lines.filter((line) => line.includes(patientId)).join('\n')) };
  });
}

const unpackFile = (path: string): File => ({
  path: basename(path, '.gz'),
  bytes: gunzipSync(readFileSync(path)),
});
