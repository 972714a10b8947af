import type { ConsentType } from '../../../contract/account/consent.ts';
import type { DataMask, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import { currentMasks, resolveWithheld } from './withheld.sql.ts';

/** The types of consent under which an organization may read the record itself. */
export const READ_CONSENT_TYPES: ReadonlySet<ConsentType> = new Set([
  'PATIENT_DIRECTED_DATA_EXCHANGE',
  'DATA_AUTHORIZATION',
]);

const READ_TYPES_SQL = raw([...READ_CONSENT_TYPES].map((type) => `'${type}'`).join(', '));

/** A condition on a row `c` of `consent`: it permits an organization to read now. */
export const permitsReading = (now: Date): Sql => sql`
  c.consent_type in (${READ_TYPES_SQL}) and c.consent_status = 'OPTED_IN' and c.expires_at > ${latestNow(now)}`;

/**
 * Selects the projects that may read the patient's record now, each once: all, or those that may read something that
 * requires one of these sets of labels.
 */
export const selectPermittedProjects = (
  patientId: PatientId,
  now: Date,
  masks: readonly DataMask[] | null = null,
) => sql<{
  organization_id: OrganizationId;
  project_id: ProjectId;
}>`
  select distinct e.organization_id, e.project_id
  from consent c
  join enrollment e on e.patient_id = ${patientId} and e.project_id = c.project_id
  cross join ${currentMasks(now)} current
  where c.patient_id = ${patientId} and ${permitsReading(now)}
    and (${masks}::integer[] is null or exists (select from unnest(${masks}::integer[]) m(mask) where m.mask & current.withheld = 0))
  order by e.organization_id, e.project_id`;

/**
 * Selects the projects that may read the patient's record now, with what each of their consents, and of the parts of these, leaves
 * out.
 */
export const selectReadingProjects = (patientId: PatientId, now: Date) => sql<{
  organization_id: OrganizationId;
  project_id: ProjectId;
  withheld: DataMask[];
}>`
  select e.organization_id, e.project_id,
    array_agg(distinct ${resolveWithheld(raw('current.withheld'), sql`${patientId}::uuid`)}) as withheld
  from consent c
  join enrollment e on e.patient_id = ${patientId} and e.project_id = c.project_id
  cross join ${currentMasks(now)} current
  where c.patient_id = ${patientId} and ${permitsReading(now)}
  group by e.organization_id, e.project_id
  order by e.organization_id, e.project_id`;
