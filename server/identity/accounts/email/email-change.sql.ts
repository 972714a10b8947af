import type { Email, PatientId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';
import { latestNow } from '../../../platform/db/store-clock.ts';
import { MAIL_LANGUAGE } from '../../patients/patients.sql.ts';
import type { Language } from '../link-mail.ts';

export interface NewEmailChange {
  hash: Buffer;
  patientId: PatientId;
  /** The address that the account gets. */
  email: Email;
  language: Language;
  now: Date;
  expiresAt: Date;
}

/** Inserts a link to another address, under the password that its person has shown to know, if that is still in force. */
export const insertChange = (change: NewEmailChange, passwordHash: string) => sql<{ patient_id: PatientId }>`
  insert into email_change (link_hash, patient_id, email, credential_id, language, created_at, expires_at)
  select ${change.hash}, w.patient_id, ${change.email}, w.credential_id, ${change.language}, ${change.now}, ${change.expiresAt}
  from patient_password w where w.patient_id = ${change.patientId} and w.password_hash = ${passwordHash}
  returning patient_id`;

/** Inserts a link that restores an address, whatever the password is by then; it is younger than all before it, whatever the clocks of nodes say. */
export const insertRestoration = (change: NewEmailChange) => sql`
  insert into email_change (link_hash, patient_id, email, credential_id, language, created_at, expires_at)
  values (${change.hash}, ${change.patientId}, ${change.email}, null, ${change.language}, greatest(${change.now}::timestamptz, (
    select max(created_at) + interval '1 millisecond' from email_change where patient_id = ${change.patientId})), ${change.expiresAt})`;

export interface EmailChangeRow {
  patient_id: PatientId;
  email: Email;
  is_restoration: boolean;
  language: Language;
}

/** Selects what a link is for, while it holds. */
export const findChange = (hash: Buffer, now: Date) => sql<EmailChangeRow>`
  select c.patient_id, c.email, c.credential_id is null as is_restoration, c.language
  from email_change c join patient_password w on w.patient_id = c.patient_id
  where c.link_hash = ${hash} and c.expires_at > ${latestNow(now)}
    and coalesce(c.credential_id, w.credential_id) = w.credential_id`;

/** Locks the account whose address changes, before its links; no row when it is gone. */
export const lockChanging = (patientId: PatientId) => sql<{ email: Email; language: string | null }>`
  select p.email, ${MAIL_LANGUAGE} as language
  from patient p join patient_password w on w.patient_id = ${patientId}
  where p.patient_id = ${patientId} and p.test_organization_id is null for update of p, w`;

/** Deletes a link, and returns a row if it still held: of those who follow one at the same time one has the lock and finds it. */
export const consumeChange = (hash: Buffer, patientId: PatientId, now: Date) => sql<{ created_at: Date }>`
  delete from email_change c using patient_password w
  where c.link_hash = ${hash} and w.patient_id = ${patientId} and c.patient_id = ${patientId}
    and c.expires_at > ${latestNow(now)} and coalesce(c.credential_id, w.credential_id) = w.credential_id
  returning c.created_at`;

/** Deletes the links to other addresses that a person has asked for. */
export const deleteChanges = (patientId: PatientId) => sql`
  delete from email_change where patient_id = ${patientId} and credential_id is not null`;

/** Deletes the links to one of them. */
export const deleteChangesTo = (patientId: PatientId, email: Email) => sql`
  delete from email_change where patient_id = ${patientId} and email = ${email} and credential_id is not null`;

/** Deletes those that restore an address that the account had after this time. */
export const deleteRestorationsAfter = (patientId: PatientId, time: Date) => sql`
  delete from email_change where patient_id = ${patientId} and credential_id is null and created_at > ${time}`;

/** Deletes links that have expired, and those of people whose account a node of a version without such links has deleted. */
export const deleteExpiredChanges = (now: Date) => sql`
  delete from email_change c
  where expires_at <= ${now} or not exists (select from patient p where p.patient_id = c.patient_id)`;
