import { z } from 'zod';

/** UUIDs of every version, lower case: what the database compares. */
const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a UUID')
  .toLowerCase()
  .meta({ format: 'uuid' });

export const OrganizationId = uuid.brand<'OrganizationId'>();
export type OrganizationId = z.infer<typeof OrganizationId>;

/** A project is a study: `studyId` and `projectId` are the same value. */
export const ProjectId = uuid.brand<'ProjectId'>();
export type ProjectId = z.infer<typeof ProjectId>;

/** The patient reference id: `referenceId` of an enrollment, `sub` of a patient token, FHIR `Person.id`. */
export const PatientId = uuid.brand<'PatientId'>();
export type PatientId = z.infer<typeof PatientId>;

export const ConsentRecordId = uuid.brand<'ConsentRecordId'>();
export type ConsentRecordId = z.infer<typeof ConsentRecordId>;

export const BatchId = uuid.brand<'BatchId'>();
export type BatchId = z.infer<typeof BatchId>;
