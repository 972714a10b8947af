import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from './archive.ts';
import {
  call,
  newTestPatient,
  waitForBatch,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from './service.ts';

/** A patient named Ana Lopez who is asked about uploads that name somebody else, as a test patient never is. */
export async function newAskedPatient(service: TestService): Promise<TestPatient> {
  const patient = await newTestPatient(service);
  await service.store.db.query(sql`
    update patient set test_organization_id = null, first_name = 'Ana', last_name = 'Lopez' where patient_id = ${patient.id}`);
  return patient;
}

/** Sends an archive, and waits until it is read or its patient is asked; answers the batch. */
export async function sendFiles(
  service: TestService,
  patient: TestPatient,
  contents: Record<string, unknown>,
  query = '',
): Promise<HttpResponse['body']> {
  const form = new FormData();
  form.append('file', new Blob([await createArchive(contents)]), 'a.zip');
  const { body } = await call(service, `/v1/patients/${patient.id}/upload-documents${query}`, {
    token: patient.token,
    body: form,
  });
  return waitForBatch(service, patient, body.batchId as string);
}

export const confirmUpload = (
  service: TestService,
  { id, token }: Pick<TestPatient, 'id' | 'token'>,
  batchId: string,
): Promise<HttpResponse> =>
  call(service, `/v1/patients/${id}/upload-documents/${batchId}/confirm`, { method: 'POST', token });
