import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PatientId } from '../../contract/brands.ts';
import { createRecordsUpdatedEmitter } from '../../server/consent/decisions/records-updated-event.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { one, type Db } from '../../server/platform/db/db.ts';
import { createDocumentProcessPool } from '../../documents/sandbox/document-process-pool.ts';
import type { UploadJob } from '../../server/clinical/ingest/batches/batch-line.ts';
import { confirmBatch } from '../../server/clinical/ingest/batches/confirm-batch.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { processUpload } from '../../server/clinical/ingest/batches/process-upload.ts';
import { withoutObjectStore } from '../harness/no-objects.ts';
import type { BlobDeps } from '../../server/clinical/ingest/originals/blobs.ts';
import type { Objects } from '../../server/platform/objects/objects.ts';
import { enqueueBatch } from '../../server/clinical/ingest/batches/enqueue-batch.ts';
import { selectBatch, type BatchRow } from '../../server/clinical/ingest/batches/uploads.sql.ts';
import { createEmitter } from '../../server/surfaces/webhooks/events/create-emitter.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { call, type TestPatient, type TestService } from '../harness/service.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

interface ImportInput {
  patient: TestPatient;
  db: Db;
  /** Absent: everything is in the database. */
  objects?: Objects;
}

/** Reads an archive in this thread, on a store that remembers what it is asked; answers the batch. */
export async function importArchive(
  { patient, db, objects = withoutObjectStore(db) }: ImportInput,
  archive: Buffer,
): Promise<BatchRow> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-play-'));
  const file = path.join(folder, 'archive.zip');
  fs.writeFileSync(file, archive);
  const clock = systemClock;
  const patientId = PatientId.parse(patient.id);
  try {
    const jobs = { wake: () => {}, enqueue: async () => {} };
    const batchId = await enqueueBatch({ db, clock, objects, jobs }, { patientId, file, source: null });
    return await readBatch({ db, objects }, { patientId, batchId });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

async function readBatch({ db, objects }: BlobDeps, upload: UploadJob): Promise<BatchRow> {
  const clock = systemClock;
  const documents = createDocumentProcessPool();
  try {
    await processUpload(
      {
        db,
        clock,
        objects,
        documents,
        getVocabulary,
        quotaBytes: Number.MAX_SAFE_INTEGER,

        emitUpdate: createRecordsUpdatedEmitter(createEmitter(() => {})),
      },
      upload,
      new AbortController().signal,
    );
    return await one(db, selectBatch(upload.patientId, upload.batchId));
  } finally {
    await documents.close();
  }
}

/** The documents that are kept, as the patient sees them. */
export async function exerciseDocuments(service: TestService, { id, token }: TestPatient): Promise<void> {
  const url = `/v1/patients/${id}/documents`;
  const { body } = await call(service, url, { token });
  const { documentId } = body.results[0] as { documentId: string };
  assert.equal((await call(service, `${url}/${documentId}`, { token })).status, 200);
}

/** An upload about which its patient is asked, who says yes when a newer one was read. */
async function exerciseQuestion(service: TestService, { patient, db }: ImportInput): Promise<void> {
  const ids = { patientId: PatientId.parse(patient.id) };
  const [own] = await db.query(
    sql<{
      test_organization_id: string | null;
    }>`select test_organization_id from patient where patient_id = ${ids.patientId}`,
  );
  await db.query(sql`update patient set test_organization_id = null where patient_id = ${ids.patientId}`);
  const maria = { resourceType: 'Patient', id: 'maria', name: [{ text: 'Maria Perez' }] };
  const rash = (text: string): object => ({
    resourceType: 'Condition',
    id: 'rash',
    code: { text: 'Rash' },
    note: [{ text }],
  });
  const older = { 'rash.json': createBundle(maria, rash('Older')) };
  const held = await importArchive({ patient, db }, await createArchive(older));
  assert.equal(held.status, 'needs_confirmation');
  await importArchive({ patient, db }, await createArchive({ 'rash.json': rash('Newer') }));
  await call(service, `/v1/patients/${patient.id}/upload-documents`, { token: patient.token });
  const confirmed = { ...ids, batchId: held.batch_id };
  const audit = createAuditLog({ db, clock: systemClock });
  await confirmBatch({ db, clock: systemClock, audit, jobs: { enqueue: async () => {} } }, confirmed);
  const read = await readBatch({ db, objects: withoutObjectStore(db) }, { ...confirmed, isAnswered: true });
  assert.deepEqual([read.status, read.resources_updated], ['completed', 0], 'the newer one stays');
  await db.query(
    sql`update patient set test_organization_id = ${own?.test_organization_id ?? null} where patient_id = ${ids.patientId}`,
  );
}

/** A restricted diagnosis that a visit names by its identifier, a result that names the visit so, and an answer to a claim. */
const NAMED_ELSEWHERE = [
  { resourceType: 'Condition', id: 'named', identifier: [{ value: 'N1' }], code: { text: 'Syphilis' } },
  {
    resourceType: 'Encounter',
    id: 'naming',
    identifier: [{ value: 'V1' }],
    diagnosis: [{ condition: { identifier: { value: 'N1' } } }],
  },
  {
    resourceType: 'Observation',
    id: 'at-visit',
    code: { text: 'Potassium' },
    encounter: { identifier: { value: 'V1' } },
  },
  { resourceType: 'Claim', id: 'claim', item: [{ sequence: 1 }] },
  {
    resourceType: 'ClaimResponse',
    id: 'answer',
    request: { reference: 'Claim/claim' },
    item: [{ itemSequence: 1 }],
  },
];

/** An upload that changes what another brought, and the removal of both. */
export async function exerciseRemoval(service: TestService, { patient, db }: ImportInput): Promise<void> {
  for (const text of ['Hiccups', 'Hiccups, worse', 'Hiccups, worst']) {
    const archive = {
      'hiccups.json': {
        resourceType: 'Condition',
        id: 'hiccups',
        code: { text: 'Hiccups' },
        note: [{ text }],
      },
      'hiccups.html': '<html><body><p>Hiccups since Monday.</p></body></html>',
      'named.json': createBundle(...NAMED_ELSEWHERE),
    };
    await importArchive({ patient, db }, await createArchive(archive));
  }
  const failed = await importArchive({ patient, db }, Buffer.from('no archive'));
  assert.equal(failed.status, 'failed');
  await exerciseQuestion(service, { patient, db });
  const uploads = `/v1/patients/${patient.id}/upload-documents`;
  for (let left = 6; left > 0; left--) {
    const { body } = await call(service, uploads, { token: patient.token });
    const { status } = await call(service, `${uploads}/${body.results[0].batchId}`, {
      method: 'DELETE',
      token: patient.token,
    });
    assert.equal(status, 204);
  }
}
