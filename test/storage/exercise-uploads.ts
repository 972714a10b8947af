import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PatientId } from '../../contract/brands.ts';
import { createRecordsUpdatedEmitter } from '../../server/consent/decisions/records-updated-event.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { one, type Db } from '../../server/platform/db/db.ts';
import { createDocumentProcessPool } from '../../documents/sandbox/document-process-pool.ts';
import { processUpload } from '../../server/clinical/ingest/batches/process-upload.ts';
import { enqueueBatch } from '../../server/clinical/ingest/batches/enqueue-batch.ts';
import { selectBatch, type BatchRow } from '../../server/clinical/ingest/batches/uploads.sql.ts';
import { createEmitter } from '../../server/surfaces/webhooks/events/create-emitter.ts';
import { createArchive } from '../harness/archive.ts';
import { call, type TestPatient, type TestService } from '../harness/service.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

interface ImportInput {
  patient: TestPatient;
  db: Db;
}

/** Reads an archive in this thread, on a store that remembers what it is asked; answers the batch. */
export async function importArchive({ patient, db }: ImportInput, archive: Buffer): Promise<BatchRow> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-play-'));
  const file = path.join(folder, 'archive.zip');
  fs.writeFileSync(file, archive);
  const clock = systemClock;
  const patientId = PatientId.parse(patient.id);
  const documents = createDocumentProcessPool();
  try {
    const jobs = { wake: () => {}, enqueue: async () => {} };
    const batchId = await enqueueBatch({ db, clock, jobs }, { patientId, file, source: null });
    await processUpload(
      {
        db,
        clock,
        documents,
        getVocabulary,
        quotaBytes: Number.MAX_SAFE_INTEGER,

        emitUpdate: createRecordsUpdatedEmitter(createEmitter(() => {})),
      },
      { patientId, batchId },
      new AbortController().signal,
    );
    return await one(db, selectBatch(patientId, batchId));
  } finally {
    await documents.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** The documents that are kept, as the patient sees them. */
export async function exerciseDocuments(service: TestService, { id, token }: TestPatient): Promise<void> {
  const url = `/v1/patients/${id}/documents`;
  const { body } = await call(service, url, { token });
  const { documentId } = body.results[0] as { documentId: string };
  assert.equal((await call(service, `${url}/${documentId}`, { token })).status, 200);
}

/** An upload that changes what another brought, and the removal of both. */
export async function exerciseRemoval(service: TestService, { patient, db }: ImportInput): Promise<void> {
  for (const text of ['Hiccups', 'Hiccups, worse']) {
    const archive = {
      'hiccups.json': { resourceType: 'Condition', id: 'hiccups', code: { text } },
      'hiccups.html': '<html><body><p>Hiccups since Monday.</p></body></html>',
    };
    await importArchive({ patient, db }, await createArchive(archive));
  }
  const uploads = `/v1/patients/${patient.id}/upload-documents`;
  for (let left = 2; left > 0; left--) {
    const { body } = await call(service, uploads, { token: patient.token });
    const { status } = await call(service, `${uploads}/${body.results[0].batchId}`, {
      method: 'DELETE',
      token: patient.token,
    });
    assert.equal(status, 204);
  }
}
