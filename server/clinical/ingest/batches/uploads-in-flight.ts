import type { PatientId } from '../../../../contract/brands.ts';
import { one, type Db } from '../../../platform/db/db.ts';
import * as statements from './uploads.sql.ts';

/** Whether archives of the patient are still being read. */
export const hasUploadsInFlight = async (db: Db, patientId: PatientId): Promise<boolean> =>
  (await one(db, statements.selectUploadsInFlight(patientId))).in_flight;
