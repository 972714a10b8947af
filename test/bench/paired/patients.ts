import fs from 'node:fs';
import { newTestPatient, type TestPatient, type TestService } from '../../harness/service.ts';
import { requestJson, type Server } from '../bench-service.ts';

/** Milliseconds between two questions whether an upload is done: asking is part of what it costs. */
const POLL_MS = 200;

/** Creates a test patient that is enrolled, and has opted in unless `consent: false`. */
export const createPatient = (
  { url, organization }: Server,
  options: { consent?: boolean } = {},
): Promise<TestPatient> => newTestPatient({ baseUrl: url, organization } as TestService, options);

/** Uploads an archive, a file or its bytes, and waits until it is read. */
export async function uploadArchive(
  server: Server,
  { id, token }: { id: string; token: string },
  archive: string | Buffer,
): Promise<void> {
  const form = new FormData();
  const bytes = typeof archive === 'string' ? fs.readFileSync(archive) : archive;
  form.append('file', new Blob([new Uint8Array(bytes)]), 'archive.zip');
  const { batchId } = await requestJson(server, `/v1/patients/${id}/upload-documents`, { token, body: form });
  for (;;) {
    const batch = await requestJson(server, `/v1/patients/${id}/upload-documents/${String(batchId)}`, {
      token,
    });
    if (batch['status'] === 'completed') return;
    if (batch['status'] !== 'queued' && batch['status'] !== 'processing')
      throw new Error(`the upload failed: ${JSON.stringify(batch)}`);
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
}
