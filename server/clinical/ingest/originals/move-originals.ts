import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BatchId, DocumentId, PatientId } from '../../../../contract/brands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import {
  deriveObjectId,
  keepObject,
  releaseObjects,
  type PlacedObject,
} from '../../../platform/objects/refer-to-objects.ts';
import type { NewObject } from '../../../platform/objects/objects.ts';
import { createTemporaryFolder } from '../archive/temporary-folder.ts';
import { deleteBlob } from './blobs.sql.ts';
import { readBlob, writeBlob, type BlobDeps } from './blobs.ts';
import * as statements from './move-originals.sql.ts';

export interface MoveDeps extends BlobDeps {
  clock: Clock;
  /** Called after each content. */
  onMoved(): void;
}

const PAGE = 100;
const NIL = '00000000-0000-0000-0000-000000000000';
const FIRST = {
  patient_id: NIL as PatientId,
  document_id: NIL as DocumentId,
  batch_id: NIL as BatchId,
};

/**
 * Moves originals, and archives that are not read yet, to where new ones belong, each in a transaction of its own: interrupted
 * anywhere, it goes on where it was. Whoever reads one at that moment is broken off, and reads it from its new place again.
 */
export async function moveOriginals(deps: MoveDeps): Promise<void> {
  for (let after = FIRST; ;) {
    const rows = await deps.db.query(statements.selectContentsAfter(after, PAGE));
    for (const row of rows) await moveDocument(deps, row);
    const last = rows.at(-1);
    if (!last) break;
    after = { ...FIRST, ...last };
  }
  for (let after = FIRST; ;) {
    const rows = await deps.db.query(statements.selectArchivesAfter(after, PAGE));
    for (const row of rows) await moveArchive(deps, row);
    const last = rows.at(-1);
    if (!last) return;
    after = { ...FIRST, ...last };
  }
}

/** Skips what is in its place, and what was removed meanwhile. */
async function moveDocument(
  deps: MoveDeps,
  {
    patient_id: patientId,
    document_id: blobId,
    sha256,
    encoding,
    has_bytes: isInDatabase,
  }: statements.ContentRow,
): Promise<void> {
  const { db, clock, objects } = deps;
  const objectId = deriveObjectId(patientId, 'original', sha256);
  if (objects.takesNew) {
    if (!isInDatabase) return;
    const object = { patientId, objectId, use: 'original', encoding } as const;
    await placeBlob(deps, { object, blobId }, (placed) =>
      db.tx(async (tx) => {
        await tx.query(statements.lockRecordHead(patientId));
        const documents = await tx.query(statements.selectDocumentsOfContent(patientId, sha256));
        if (!documents.some((document) => document.document_id === blobId)) return;
        await keepObject(tx, placed, clock.now());
        await tx.query(deleteBlob(patientId, blobId));
      }),
    );
    return;
  }
  const object = await objects.find(patientId, objectId);
  if (!object) return;
  await withFile(await objects.openEncoded(object), async (file) => {
    const written = new Set<string>();
    for (let isMoved = false; !isMoved;) {
      for (const { document_id: id } of await db.query(
        statements.selectDocumentsOfContent(patientId, sha256),
      ))
        if (!written.has(id)) {
          await writeBlob(db, { patientId, blobId: id }, file);
          written.add(id);
        }
      isMoved = await db.tx(async (tx) => {
        await tx.query(statements.lockRecordHead(patientId));
        const documents = await tx.query(statements.selectDocumentsOfContent(patientId, sha256));
        // One that came meanwhile has no bytes in the database yet.
        if (documents.some(({ document_id: id }) => !written.has(id))) return false;
        await tx.query(statements.updateEncoding(patientId, sha256, object.encoding));
        await releaseObjects(tx, { patientId, objectIds: [objectId], uses: ['original'], now: clock.now() });
        return true;
      });
    }
  });
  deps.onMoved();
}

async function moveArchive(
  deps: MoveDeps,
  { patient_id: patientId, batch_id: batchId, has_bytes: isInDatabase }: statements.ArchiveRow,
): Promise<void> {
  const { db, clock, objects } = deps;
  if (objects.takesNew) {
    if (!isInDatabase) return;
    const object = { patientId, objectId: batchId, use: 'archive', encoding: 'identity' } as const;
    await placeBlob(deps, { object, blobId: batchId }, (placed) =>
      db.tx(async (tx) => {
        await tx.query(statements.lockRecordHead(patientId));
        // It was read to its end, and deleted.
        if ((await tx.query(statements.selectOpenArchive(patientId, batchId))).length === 0) return;
        await keepObject(tx, placed, clock.now());
        await tx.query(deleteBlob(patientId, batchId));
      }),
    );
    return;
  }
  const object = await objects.find(patientId, batchId);
  if (!object) return;
  await withFile(await objects.openEncoded(object), (file) =>
    writeBlob(db, { patientId, blobId: batchId }, file),
  );
  await db.tx(async (tx) => {
    await tx.query(statements.lockRecordHead(patientId));
    const isOpen = (await tx.query(statements.selectOpenArchive(patientId, batchId))).length > 0;
    if (!isOpen) await tx.query(deleteBlob(patientId, batchId));
    await releaseObjects(tx, { patientId, objectIds: [batchId], uses: ['archive'], now: clock.now() });
  });
  deps.onMoved();
}

async function placeBlob(
  { db, objects, onMoved }: MoveDeps,
  { object, blobId }: { object: Omit<NewObject, 'content'>; blobId: string },
  refer: (placed: PlacedObject) => Promise<void>,
): Promise<void> {
  await withFile(readBlob(db, { patientId: object.patientId, blobId }), async (file) => {
    const content = { file, size: (await fs.stat(file)).size };
    await objects.placeFor({ ...object, content }, refer);
  });
  onMoved();
}

async function withFile(bytes: Readable, work: (file: string) => Promise<void>): Promise<void> {
  const folder = await createTemporaryFolder('move');
  try {
    const file = path.join(folder, 'content');
    await pipeline(bytes, createWriteStream(file, { mode: 0o600 }));
    await work(file);
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}
