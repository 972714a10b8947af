import type { ConsentRecordId, PatientId, ScreenshotId } from '../../../contract/brands.ts';
import { one, type Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { keepAsEvidence, keepObject, releaseObjects } from '../../platform/objects/refer-to-objects.ts';
import * as statements from './move-pictures.sql.ts';
import { derivePictureId, readPicture, type KeptPicture } from './pictures.ts';

interface MoveDeps {
  db: Db;
  clock: Clock;
  objects: Objects;
  /** Called after each picture. */
  onMoved(): void;
}

/** Each has a megabyte or two. */
const PAGE = 10;
const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * Moves pictures of decisions to where new ones belong, each in a transaction of its own: interrupted anywhere, it goes on where
 * it was. Those of drafts stay where they are, and are gone in a day.
 */
export async function movePictures(deps: MoveDeps): Promise<void> {
  const move = deps.objects.takesNew ? moveToObject : moveToRow;
  let after: statements.PictureKey = {
    patient_id: NIL as PatientId,
    consent_record_id: NIL as ConsentRecordId,
    screenshot_id: NIL as ScreenshotId,
  };
  for (;;) {
    const rows = await deps.db.query(statements.selectPicturesAfter(after, deps.objects.takesNew, PAGE));
    for (const row of rows) {
      await move(deps, row);
      deps.onMoved();
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last;
  }
}

type Picture = statements.PictureKey & KeptPicture;

async function moveToObject({ db, clock, objects }: MoveDeps, picture: Picture): Promise<void> {
  const { patient_id: patientId, sha256, bytes: content } = picture;
  if (content === null) return;
  const objectId = derivePictureId(patientId, sha256);
  const object = { patientId, objectId, use: 'evidence', encoding: 'identity', content } as const;
  await objects.placeFor(object, (placed) =>
    db.tx(async (tx) => {
      // Without a row the patient is gone, and what was placed is deleted in a day.
      if ((await tx.query(statements.updatePicture(picture, null, content.length))).length === 0) return;
      await keepObject(tx, placed, clock.now());
      await keepAsEvidence(tx, patientId, [objectId]);
    }),
  );
}

async function moveToRow({ db, clock, objects }: MoveDeps, picture: Picture): Promise<void> {
  const { patient_id: patientId, sha256 } = picture;
  const bytes = await readPicture(objects, patientId, picture);
  const objectId = derivePictureId(patientId, sha256);
  await db.tx(async (tx) => {
    await tx.query(statements.updatePicture(picture, bytes, null));
    const released = { patientId, objectIds: [objectId], uses: ['evidence'], now: clock.now() } as const;
    await releaseObjects(tx, released, async () =>
      (await one(tx, statements.selectObjectUses(patientId, sha256))).used ? [objectId] : [],
    );
  });
}
