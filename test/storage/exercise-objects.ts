import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { BatchId, PatientId } from '../../contract/brands.ts';
import { moveOriginals } from '../../server/clinical/ingest/originals/move-originals.ts';
import { selectOpenArchive } from '../../server/clinical/ingest/originals/move-originals.sql.ts';
import { readDocument } from '../../server/clinical/ingest/originals/blobs.ts';
import { selectContents, selectDocuments } from '../../server/clinical/ingest/originals/documents.sql.ts';
import * as drafts from '../../server/consent/decisions/draft.sql.ts';
import { movePictures } from '../../server/consent/decisions/move-pictures.ts';
import { readConfig } from '../../server/config.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { deleteDueObjects } from '../../server/platform/objects/delete-objects.ts';
import { createObjects, type Objects } from '../../server/platform/objects/objects.ts';
import { countObjects, hasObjects } from '../../server/platform/objects/objects.sql.ts';
import { createObjectStore } from '../../server/platform/objects/s3-client.ts';
import { findMissingObjects } from '../../server/platform/objects/verify-objects.ts';
import { createArchive } from '../harness/archive.ts';
import { startObjectStore } from '../harness/object-store.ts';
import type { TestPatient } from '../harness/service.ts';
import { importArchive } from './exercise-uploads.ts';

const LETTER = Buffer.from('<html><body><p>Kept outside of the database.</p></body></html>');

/** An upload into an object store, all that is in the database into it, and everything back. */
export async function exerciseObjects(db: Db, patient: TestPatient): Promise<void> {
  const remote = await startObjectStore();
  const store = createObjectStore(readConfig(remote.environment).objectStore ?? assert.fail());
  const clock = systemClock;
  const patientId = PatientId.parse(patient.id);
  const open = (takesNew: boolean): Objects => createObjects({ db, clock, store, takesNew });
  try {
    await importArchive({ patient, db, objects: open(true) }, await createArchive({ 'kept.html': LETTER }));
    assert.equal(remote.listKeys().length, 2, 'the archive, which is read, and the letter');
    for (const takesNew of [true, false]) {
      let moved = 0;
      const deps = { db, clock, objects: open(takesNew), onMoved: () => moved++ };
      await moveOriginals(deps);
      assert.ok(moved > 0);
      moved = 0;
      await movePictures(deps);
      assert.ok(moved > 0, 'pictures of decisions');
      await deps.objects.requireReachable(patientId);
      assert.equal((await findMissingObjects({ db, store })).missing.length, 0);
      await db.query(countObjects());
    }
    assert.deepEqual(await db.query(hasObjects()), [{ found: false }]);
    await deleteDueObjects({ db, clock, store }, new AbortController().signal);
    assert.deepEqual(remote.listKeys(), []);
    const documents = await db.query(selectDocuments(patientId, { before: null, limit: 100 }));
    const letter = documents.find(({ path }) => path === 'kept.html') ?? assert.fail();
    const bytes = await (await readDocument({ db, objects: open(false) }, patientId, letter)).toArray();
    assert.ok(Buffer.concat(bytes).equals(LETTER));
    await db.query(selectOpenArchive(patientId, BatchId.parse(letter.batch_id)));
    await db.query(selectContents(patientId, [letter.sha256]));
    await db.query(drafts.selectContents(patientId, [createHash('sha256').digest()]));
  } finally {
    await store.close();
    await remote.stop();
  }
}
