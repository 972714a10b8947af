import type { ConsentType } from '../../../contract/account/consent.ts';
import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { CONSENT_TITLES } from '../../identity/organizations/consent-titles.sql.ts';
import { sql } from '../../platform/db/sql.ts';
import { permitsReading } from '../access/permits-reading.sql.ts';

export interface ReadingConsentRow {
  consent_type: ConsentType;
  project_id: ProjectId;
  project_name: string;
  /** JSON: {en, es}. */
  titles: string;
  expires_at: Date;
}

/** Selects a patient's consents that permit an organization to read now, with the titles that the patient read. */
export const selectReadingConsents = (query: {
  patientId: PatientId;
  organizationId: OrganizationId;
  now: Date;
}) => sql<ReadingConsentRow>`
  select c.consent_type, c.project_id, pr.name as project_name, ${CONSENT_TITLES} as titles, c.expires_at
  from consent c
  join enrollment e on e.patient_id = ${query.patientId} and e.project_id = c.project_id
  join consent_record r on r.patient_id = ${query.patientId} and r.consent_record_id = c.consent_record_id
  join project pr on pr.project_id = c.project_id and pr.organization_id = ${query.organizationId}
  where c.patient_id = ${query.patientId} and ${permitsReading(query.now)}
  order by c.decided_at desc, c.project_id, c.consent_type`;
