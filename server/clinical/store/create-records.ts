import type { CreateRecords } from '../../identity/patients/create-patients.ts';
import { insertRecordHeads } from './records.sql.ts';

/** Creates the empty records of new patients, in the transaction that creates them. */
export const createRecords: CreateRecords = (tx, patientIds) => tx.query(insertRecordHeads(patientIds));
