import type { Email, OrganizationId, PatientId, ProjectId, SessionId } from '../../../contract/brands.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { asLookUp, sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import { MAIL_LANGUAGE } from '../patients/patients.sql.ts';
import type { Language } from './link-mail.ts';
import type { ListedSession } from './session-cookie.ts';

export interface PersonRow {
  patient_id: PatientId;
  email: string;
  first_name: string;
  last_name: string;
  test_organization_id: OrganizationId | null;
  is_test_patient: boolean;
}

const personColumns = sql`
  p.patient_id, p.email, p.first_name, p.last_name, p.test_organization_id,
  p.test_organization_id is not null as is_test_patient`;

/** Selects the owner of an e-mail address; enrolled people have no password until they follow a link. */
export const findPersonByEmail = (email: Email) => sql<PersonRow & { has_password: boolean }>`
  select ${personColumns}, w.patient_id is not null as has_password
  from patient_email m
  join patient p on p.patient_id = m.patient_id
  left join patient_password w on w.patient_id = m.patient_id
  where m.email = ${email}`;

export interface NewLink {
  hash: Buffer;
  email: Email;
  continueWith: string | null;
  projectId: ProjectId | null;
  language: Language;
  now: Date;
  expiresAt: Date;
}

export const insertLink = (link: NewLink) => sql`
  insert into account_link (link_hash, email, continue_with, project_id, language, created_at, expires_at)
  values (${link.hash}, ${link.email}, ${link.continueWith}, ${link.projectId}, ${link.language}, ${link.now}, ${link.expiresAt})`;

export const findLink = (hash: Buffer, now: Date) => sql<{
  email: Email;
  continue_with: string | null;
  project_id: ProjectId | null;
  /** null: from before it was kept. */
  language: string | null;
}>`
  select email, continue_with, project_id, language from account_link where link_hash = ${hash} and expires_at > ${latestNow(now)}`;

/**
 * Deletes a link and every other link of its address. Concurrent transactions meet the same rows in the same order, so
 * at most one of them consumes a link.
 */
export const consumeLinks = (link: { email: Email; hash: Buffer; now: Date }) => sql<{ consumed: boolean }>`
  delete from account_link where email = ${link.email}
  returning link_hash = ${link.hash} and expires_at > ${latestNow(link.now)} as consumed`;

/** Deletes every link that was mailed to an address. */
export const deleteLinks = (email: Email) => sql`delete from account_link where email = ${email}`;

export interface NewSession {
  patientId: PatientId;
  hash: Buffer;
  device: string;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Locks a password until the transaction ends; returns no row when it is not the one with this hash any more. A change
 * under way is waited for, and a change that comes later finds the session that was begun meanwhile, and deletes it.
 */
export const lockPassword = (patientId: PatientId, passwordHash: string) => sql<{ patient_id: PatientId }>`
  select patient_id from patient_password
  where patient_id = ${patientId} and password_hash = ${passwordHash} for share`;

/** Inserts a session under the password in force. */
export const insertSession = (session: NewSession) => sql`
  insert into account_session (patient_id, session_hash, created_at, expires_at, credential_id, device)
  select patient_id, ${session.hash}, ${session.createdAt}, ${session.expiresAt}, credential_id, ${session.device}
  from patient_password where patient_id = ${session.patientId}`;

/**
 * Selects a session that has not expired. A session that began under another password than the one in force is not valid,
 * whoever changed it, whatever was in progress meanwhile and whatever the clocks of the nodes said.
 */
export const findSession = (patientId: PatientId, hash: Buffer, now: Date) =>
  asLookUp(sql<
    PersonRow & {
      created_at: Date;
      expires_at: Date;
      /** The later of the node's and the store's time. */
      now: Date;
    }
  >`
  select ${personColumns}, s.created_at, s.expires_at, ${latestNow(now)} as now
  from account_session s
  join patient p on p.patient_id = s.patient_id
  join patient_password w on w.patient_id = s.patient_id
  where s.patient_id = ${patientId} and s.session_hash = ${hash} and s.expires_at > ${latestNow(now)}
    and s.credential_id = w.credential_id`);

/** The sessions that are valid, the last used first. */
export const findSessions = (patientId: PatientId, hash: Buffer, now: Date) => sql<ListedSession>`
  select s.session_id, s.device, s.created_at, s.expires_at, s.session_hash = ${hash} as is_this
  from account_session s join patient_password w on w.patient_id = s.patient_id and w.credential_id = s.credential_id
  where s.patient_id = ${patientId} and s.expires_at > ${latestNow(now)}
  order by s.expires_at desc, s.session_id`;

/** Deletes a session of the person; no row when they have none of this id. */
export const deleteSessionById = (patientId: PatientId, sessionId: SessionId) => sql<{ device: string }>`
  delete from account_session where patient_id = ${patientId} and session_id = ${sessionId} returning device`;

/** Deletes the sessions of the person but for the one with this hash. */
export const deleteOtherSessions = (patientId: PatientId, hash: Buffer) => sql<{ device: string }>`
  delete from account_session where patient_id = ${patientId} and session_hash <> ${hash} returning device`;

export type AccountEventKind =
  | 'signed_in'
  | 'signed_in_by_passkey'
  | 'password_chosen'
  | 'password_changed'
  | 'session_ended'
  | 'passkey_added'
  | 'passkey_removed'
  | 'email_changed'
  | 'email_restored';

export interface NewAccountEvent {
  patientId: PatientId;
  kind: AccountEventKind;
  device: string;
  at: Date;
}

export const insertAccountEvent = ({ patientId, kind, device, at }: NewAccountEvent) => sql`
  insert into account_event (patient_id, event_id, at, kind, device)
  values (${patientId}, ${generateId()}, ${at}, ${kind}, ${device})`;

export const findAccountEvents = (patientId: PatientId, limit: number) => sql<{
  event_id: string;
  at: Date;
  kind: AccountEventKind;
  device: string;
}>`
  select event_id, at, kind, device from account_event where patient_id = ${patientId}
  order by at desc, event_id desc limit ${limit}`;

export const deleteOldAccountEvents = (before: Date) => sql`delete from account_event where at < ${before}`;

export const extendSession = (patientId: PatientId, hash: Buffer, until: Date) => sql`
  update account_session set expires_at = ${until}
  where patient_id = ${patientId} and session_hash = ${hash} and expires_at < ${until}`;

/** A row while a session of the person is valid, in a transaction that has locked their account. */
export const hasSession = (patientId: PatientId, hash: Buffer) => sql`
  select from account_session s join patient_password w on w.patient_id = s.patient_id and w.credential_id = s.credential_id
  where s.patient_id = ${patientId} and s.session_hash = ${hash}`;

export const deleteSession = (patientId: PatientId, hash: Buffer) => sql`
  delete from account_session where patient_id = ${patientId} and session_hash = ${hash}`;

export const deletePatientSessions = (patientId: PatientId) => sql`
  delete from account_session where patient_id = ${patientId}`;

export const deleteExpiredLinks = (now: Date) => sql`delete from account_link where expires_at <= ${now}`;

export const deleteExpiredSessions = (now: Date) => sql`
  delete from account_session where expires_at <= ${now}`;

export const findPasswordHash = (patientId: PatientId) => sql<{ password_hash: string }>`
  select password_hash from patient_password where patient_id = ${patientId}`;

/**
 * Locks the account of a person who is no test patient; no row when it is gone, or when the password is not the one with this
 * hash any more.
 */
export const lockAccount = (patientId: PatientId, passwordHash: string) => sql<{
  email: string;
  language: string | null;
}>`
  select p.email, ${MAIL_LANGUAGE} as language
  from patient p join patient_password w on w.patient_id = ${patientId}
  where p.patient_id = ${patientId} and p.test_organization_id is null and w.password_hash = ${passwordHash}
  for update of p, w`;
