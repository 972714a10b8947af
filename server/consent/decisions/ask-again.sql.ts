import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

/** Notes that nobody was asked about the newest version of a project yet. */
export const resetAskedAgain = (projectId: ProjectId) => sql`
  update consent set asked_again = false where project_id = ${projectId} and asked_again`;

/** Marks a patient's consents to a project as asked for again; returns rows when they were not yet. */
export const markAskedAgain = (patientId: PatientId, projectId: ProjectId) => sql<{ marked: boolean }>`
  update consent set asked_again = true
  where patient_id = ${patientId} and project_id = ${projectId} and consent_status = 'OPTED_IN' and not asked_again
  returning true as marked`;
