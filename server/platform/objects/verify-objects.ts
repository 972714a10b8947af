import type { PatientId } from '../../../contract/brands.ts';
import type { Db } from '../db/db.ts';
import { selectObjectsAfter, type ObjectUse } from './objects.sql.ts';
import type { ObjectStore } from './s3-client.ts';

const PAGE = 32;
const NIL = '00000000-0000-0000-0000-000000000000';

interface MissingObject {
  patientId: PatientId;
  objectId: string;
  use: ObjectUse;
}

/** Asks the store for each object that the database knows; returns those that it has not. */
export async function findMissingObjects({
  db,
  store,
}: {
  db: Db;
  store: ObjectStore;
}): Promise<{ verified: number; missing: MissingObject[] }> {
  const missing: MissingObject[] = [];
  let verified = 0;
  for (let after = { patient_id: NIL as PatientId, object_id: NIL }; ;) {
    const rows = await db.query(selectObjectsAfter(after, PAGE));
    const found = await Promise.all(rows.map((row) => store.has(row.object_key)));
    verified += rows.length;
    for (const [index, { patient_id: patientId, object_id: objectId, use }] of rows.entries())
      if (!found[index]) missing.push({ patientId, objectId, use });
    const last = rows.at(-1);
    if (!last) return { verified, missing };
    after = last;
  }
}
