import type { PatientId } from '../../contract/ids.ts';
import { one, type Db } from '../storage/db.ts';
import * as statements from './uploads.sql.ts';

/** Whether archives of the patient are still being read. */
export const uploadsInFlight = async (db: Db, patientId: PatientId): Promise<boolean> =>
  (await one(db, statements.uploadsInFlight(patientId))).in_flight;
