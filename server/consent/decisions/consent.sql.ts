import type { ConsentStatus, ConsentType } from '../../../contract/account/consent.ts';
import type { ResourceScope, SensitivityScope } from '../../../contract/data-categories.ts';
import type {
  ConsentRecordId,
  DataMask,
  OrganizationId,
  PatientId,
  ProjectId,
  ScreenshotId,
} from '../../../contract/brands.ts';
import { raw, sql } from '../../platform/db/sql.ts';
import { latestNow, latestNowAfterLock } from '../../platform/db/store-clock.ts';
import { updateStanding, type StandingRow } from '../../identity/patients/progress.sql.ts';
import type { DataScopes } from '../access/sensitivity-labels.ts';

export interface ConsentRecordRow {
  patient_id: PatientId;
  consent_record_id: ConsentRecordId;
  organization_id: OrganizationId;
  project_id: ProjectId;
  consent_type: ConsentType;
  consent_status: ConsentStatus;
  decided_at: Date;
  expires_at: Date;
  consent_stats: { sessionLength: number; interactions: unknown[] };
  study_snapshot_id: string;
  consent_ui_flow: string;
  ui_hash: string;
  consent_data_resource_scopes: readonly ResourceScope[] | null;
  consent_data_sensitivity_scopes: readonly SensitivityScope[] | null;
  language: string | null;
  client_id: string | null;
  client_name: string | null;
  representative: { name: string; authority: string } | null;
  /** What the client gets, where that is less than what the consent covers. */
  grant: GrantTerms | null;
  /** Since when the consent that it changes or ends was in force; null: none was. */
  in_force_since: Date | null;
  /** JSON, as `serializeParts` writes it; null: all of it ends together. */
  parts: string | null;
}

/** What an app gets of what a consent covers. */
export interface GrantTerms {
  scopes: DataScopes;
  expiresAt: Date;
}

export interface EnrolledPatientRow {
  organization_id: OrganizationId;
  project_name: string;
  project_purpose: string | null;
  /** The newest version of the project's content; null where there is none. */
  study_snapshot_id: string | null;
  is_test_patient: boolean;
}

/**
 * Selects the enrolled patient and locks the enrollment until the decision is written: of two decisions at once, the next
 * statement of the second sees the first, also where nothing was decided before.
 */
export const lockEnrolledPatient = (patientId: PatientId, projectId: ProjectId) => sql<EnrolledPatientRow>`
  select e.organization_id, pr.name as project_name, pr.purpose as project_purpose,
    (select study_snapshot_id::text from project_version v where v.project_id = ${projectId} order by version desc limit 1)
      as study_snapshot_id,
    p.test_organization_id is not null as is_test_patient
  from enrollment e
  join patient p on p.patient_id = e.patient_id
  join project pr on pr.project_id = e.project_id
  where e.patient_id = ${patientId} and p.patient_id = ${patientId} and e.project_id = ${projectId}
  for no key update of e for share of p`;

export interface ConsentInForceRow {
  consent_record_id: ConsentRecordId;
  consent_status: ConsentStatus;
  decided_at: Date;
  expires_at: Date;
  expiry_emitted: boolean;
  /** Since when it is, or was, in force without interruption. */
  in_force_since: Date | null;
  resource_scopes: ResourceScope[] | null;
  sensitivity_scopes: SensitivityScope[] | null;
  /** JSON; null: all of it ends together. */
  parts: string | null;
}

/**
 * Selects and locks the decision in force. It runs after `lockEnrolledPatient` and relies on its lock: had it to wait for
 * the row itself, it would join the new decision with the records it saw before, hence find nothing. The record is looked up by its
 * whole key: a plan from when there were few read all records of the patient.
 */
export const lockConsent = (
  patientId: PatientId,
  projectId: ProjectId,
  consentType: ConsentType,
) => sql<ConsentInForceRow>`
  select c.consent_record_id, c.consent_status, c.decided_at, c.expires_at, c.expiry_emitted, r.in_force_since,
    r.consent_data_resource_scopes as resource_scopes,
    r.consent_data_sensitivity_scopes as sensitivity_scopes, r.parts::text as parts
  from consent c
  cross join lateral (
    select * from consent_record where patient_id = ${patientId} and consent_record_id = c.consent_record_id limit 1) r
  where c.patient_id = ${patientId} and c.project_id = ${projectId} and c.consent_type = ${consentType}
  for update of c`;

/** The same with the time when both are locked: the later of the node's and the store's; columns of null where none is in force. */
export const lockConsentAndTime = (
  ...[patientId, projectId, consentType, now]: [...Parameters<typeof lockConsent>, Date]
) => sql<{ now: Date } & (ConsentInForceRow | { consent_record_id: null })>`
  select previous.*, ${latestNowAfterLock(now)} as now
  from (select 1) always left join (${lockConsent(patientId, projectId, consentType)}) previous on true`;

export interface DecisionInForce {
  /** What it leaves out; of parts, the one that ends last. */
  withheld: DataMask;
  /** What each of its parts leaves out, and when it ends; null: all of it ends together. */
  parts: readonly { withheld: DataMask; expiresAt: Date }[] | null;
  decisionKey: string | null;
  screenshots: readonly ScreenshotRow[];
}

/**
 * Writes the decision in force, its immutable record with the screenshots, and the route to the record by its id alone. The last
 * transaction to get here is in force: the lock of the row orders the decisions of one patient, and each is strictly later than
 * the one it replaces, so that a withdrawal counts, and is listed as the newest, even where the clock of a node is behind.
 */
export const insertDecision = (
  row: ConsentRecordRow,
  { withheld, parts, decisionKey, screenshots }: DecisionInForce,
) => sql`
  with in_force as (
    insert into consent (patient_id, project_id, consent_type, consent_record_id, consent_status, expires_at, decided_at, withheld,
      decision_key, part_record_id, part_withheld, part_ends)
    values (${row.patient_id}, ${row.project_id}, ${row.consent_type}, ${row.consent_record_id}, ${row.consent_status},
      ${row.expires_at}, ${row.decided_at}, ${withheld}, ${decisionKey},
      ${parts && row.consent_record_id}::uuid, ${parts && parts.map((part) => part.withheld)}::integer[], ${parts && parts.map((part) => part.expiresAt)}::timestamptz[])
    on conflict (patient_id, project_id, consent_type) do update set
      consent_record_id = excluded.consent_record_id, consent_status = excluded.consent_status,
      expires_at = excluded.expires_at, decided_at = greatest(consent.decided_at + interval '1 microsecond', excluded.decided_at),
      withheld = excluded.withheld, expiry_emitted = false, asked_again = false, decision_key = excluded.decision_key,
      part_record_id = excluded.part_record_id, part_withheld = excluded.part_withheld, part_ends = excluded.part_ends
    returning decided_at),
  route as (
    insert into consent_record_patient (consent_record_id, patient_id) values (${row.consent_record_id}, ${row.patient_id}))
  ${screenshots.length > 0 ? sql`, evidence as (${insertScreenshots(row, screenshots)})` : raw('')}
  insert into consent_record (patient_id, consent_record_id, organization_id, project_id, consent_type, consent_status,
    decided_at, expires_at, consent_stats, study_snapshot_id, consent_ui_flow, ui_hash, consent_data_resource_scopes,
    consent_data_sensitivity_scopes, language, client_id, client_name, representative, grant_resource_scopes,
    grant_sensitivity_scopes, grant_expires_at, session_seconds, parts, in_force_since)
  select ${row.patient_id}, ${row.consent_record_id}, ${row.organization_id}, ${row.project_id}, ${row.consent_type},
    ${row.consent_status}, in_force.decided_at, ${row.expires_at}, ${JSON.stringify(row.consent_stats)},
    ${row.study_snapshot_id}, ${row.consent_ui_flow}, ${row.ui_hash}, ${row.consent_data_resource_scopes},
    ${row.consent_data_sensitivity_scopes}, ${row.language}, ${row.client_id}, ${row.client_name},
    ${row.representative && JSON.stringify(row.representative)}, ${row.grant && row.grant.scopes.resourceScopes},
    ${row.grant && row.grant.scopes.sensitivityScopes}, ${row.grant && row.grant.expiresAt},
    ${row.consent_stats.sessionLength}, ${row.parts}::json,
    case when ${row.consent_status}::text = 'OPTED_IN' then coalesce(${row.in_force_since}, in_force.decided_at)
      else ${row.in_force_since} end
  from in_force`;

/** Selects the latest end of a patient's consents to a project that were not withdrawn, and whether there was ever one. */
const selectStanding = (patientId: PatientId, projectId: ProjectId) => sql<StandingRow>`
  select (
      select max(c.expires_at) from consent c
      where c.patient_id = ${patientId} and c.project_id = ${projectId} and c.consent_status = 'OPTED_IN') as until,
    exists (
      select from consent_record r
      where r.patient_id = ${patientId} and r.project_id = ${projectId} and r.consent_status = 'OPTED_IN') as has_consented`;

/** Notes with the enrollment where the person stands by all their decisions, for lists of people. */
export const noteStanding = (patientId: PatientId, projectId: ProjectId, decidedAt: Date) =>
  updateStanding(patientId, projectId, { decidedAt, standing: selectStanding(patientId, projectId) });

export interface ScreenshotRow {
  screenshotId: ScreenshotId;
  screen: string;
  takenAt: Date;
  contentType: 'image/png';
  sha256: Buffer;
  /** null: it is an object, of `size` bytes. */
  bytes: Buffer | null;
  size: number | null;
}

/** In the order in which the patient saw them. */
const insertScreenshots = (record: ConsentRecordRow, screenshots: readonly ScreenshotRow[]) => sql`
  insert into consent_screenshot (patient_id, consent_record_id, screenshot_id, ordinal, screen, taken_at, content_type, sha256, bytes, size)
  select ${record.patient_id}::uuid, ${record.consent_record_id}::uuid, id, ordinal, screen, taken_at, content_type, sha256, bytes, size
  from unnest(${screenshots.map((each) => each.screenshotId)}::uuid[], ${screenshots.map((each) => each.screen)}::text[],
    ${screenshots.map((each) => each.takenAt)}::timestamptz[], ${screenshots.map((each) => each.contentType)}::text[],
    ${screenshots.map((each) => each.sha256)}::bytea[], ${screenshots.map((each) => each.bytes)}::bytea[],
    ${screenshots.map((each) => each.size)}::int[])
    with ordinality as s(id, screen, taken_at, content_type, sha256, bytes, size, ordinal)`;

export interface ExpiredConsentRow {
  patient_id: PatientId;
  organization_id: OrganizationId;
  project_id: ProjectId;
  consent_type: ConsentType;
  consent_record_id: ConsentRecordId;
  expires_at: Date;
  resource_scopes: ResourceScope[] | null;
  sensitivity_scopes: SensitivityScope[] | null;
  /** JSON; null: all of it ends together. */
  parts: string | null;
}

/** One step on the index, since it runs all the time and mostly finds nothing. */
export const hasExpiredConsents = (now: Date) => sql`
  select from consent where consent_status = 'OPTED_IN' and not expiry_emitted and expires_at <= ${now} limit 1`;

/**
 * Claims expired consents, each once however many nodes look. It skips a consent that is being decided on at this moment:
 * that decision emits its expiry.
 */
export const claimExpiredConsents = (now: Date, limit: number) => sql<ExpiredConsentRow>`
  with due as (
    select patient_id, project_id, consent_type from consent
    where consent_status = 'OPTED_IN' and not expiry_emitted and expires_at <= ${now}
    order by expires_at limit ${limit}
    for update skip locked)
  update consent c set expiry_emitted = true
  from due, consent_record r
  where c.patient_id = due.patient_id and c.project_id = due.project_id and c.consent_type = due.consent_type
    and r.patient_id = c.patient_id and r.consent_record_id = c.consent_record_id
  returning c.patient_id, r.organization_id, c.project_id, c.consent_type, c.consent_record_id, c.expires_at,
    r.consent_data_resource_scopes as resource_scopes, r.consent_data_sensitivity_scopes as sensitivity_scopes, r.parts::text as parts`;

/** The patient's consents that permit something now. */
export const selectConsentsInForce = (patientId: PatientId, now: Date) => sql<{
  project_id: ProjectId;
  consent_type: ConsentType;
}>`
  select project_id, consent_type from consent
  where patient_id = ${patientId} and consent_status = 'OPTED_IN' and expires_at > ${latestNow(now)}
  order by project_id, consent_type`;

/** Selects the decision in force where it is the one that the page sent with this key. */
export const selectDecisionByKey = (
  target: {
    patientId: PatientId;
    projectId: ProjectId;
    consentType: ConsentType;
    consentStatus: ConsentStatus;
  },
  decisionKey: string,
) => sql<{ consent_record_id: ConsentRecordId }>`
  select consent_record_id from consent
  where patient_id = ${target.patientId} and project_id = ${target.projectId} and consent_type = ${target.consentType}
    and decision_key = ${decisionKey} and consent_status = ${target.consentStatus}`;
