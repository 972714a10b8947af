import type { z } from 'zod';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import {
  toEmail,
  type Email,
  type OrganizationId,
  type PatientId,
  type ProjectId,
} from '../../../contract/brands.ts';
import type * as contract from '../../../contract/organization/enrolled-patient.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import { maybeOne, type Db, type Tx } from '../../platform/db/db.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { findMailSender } from '../organizations/mail-sender.ts';
import * as statements from './enrolled-patients.sql.ts';
import { enqueueEnrollmentMail } from './invitation.ts';
import { createNotSharedRefusal } from './not-shared.ts';
import { insertPhones } from './patients.sql.ts';
import { normalizePhone } from './phone.ts';
import { markInvited } from './progress.sql.ts';
import { findSharingExternalId, SHARED_EXTERNAL_ID } from './shared-external-ids.ts';

export interface EnrolledDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: Jobs;
  consentAppUrl: string;
  /** Counts a mail and returns whether it may be sent. */
  countMail(email: Email): Promise<boolean>;
}

export interface EnrolledTarget {
  caller: OrganizationCaller;
  projectId: ProjectId;
  organizationId: OrganizationId;
  patientId: PatientId;
}

/** Sends the invitation again, at most three mails an hour to one address. */
export async function sendInvitation(
  deps: EnrolledDeps,
  target: EnrolledTarget,
): Promise<{ status: 'sent' }> {
  const { db, audit } = deps;
  const person = await db.tx((tx) => lockPerson(tx, target));
  if (person.is_test_patient)
    throw new Refusal(409, 'test_patient', { detail: 'A test patient has no mailbox.' });
  if (!(await deps.countMail(toEmail(person.email))))
    throw new Refusal(429, 'too_many_mails', { detail: 'This address got three mails within an hour.' });
  await db.tx(async (tx) => {
    await invite(tx, deps, { target, person: await lockPerson(tx, target) });
    await audit.write(tx, { ...toAuditEntry(target), action: 'patient.invited' });
  });
  return { status: 'sent' };
}

type Change = z.infer<(typeof contract.updateEnrolledPatient)['body']>;
type EnrolledPatientDto = z.infer<(typeof contract.updateEnrolledPatient)['response']>;

/**
 * Corrects what an organization wrote of a patient. Name and address are the person's own once they have signed in, or while
 * another organization knows them by these: records are matched by name, and whoever has the address has the account.
 */
export function updateEnrolledPatient(
  deps: EnrolledDeps,
  target: EnrolledTarget,
  change: Change,
): Promise<EnrolledPatientDto> {
  return deps.db.tx(async (tx) => {
    const before = await lockPerson(tx, target);
    const isAddressNew = await changePerson(tx, before, change);
    await changeDetails(tx, before, change);
    await changeIdentifiers(tx, target, change);
    if (change.phone !== undefined && !before.is_known_elsewhere)
      await tx.query(statements.updatePhone(target.patientId, change.phone));
    const person = await lockPerson(tx, target);
    const { suppressNotifications, ...fields } = change;
    const changed = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    await deps.audit.write(tx, { ...toAuditEntry(target), action: 'patient.updated', detail: { changed } });
    if (isAddressNew && suppressNotifications !== true) await invite(tx, deps, { target, person });
    const { projectId, patientId } = target;
    const sharing =
      change.externalId === undefined
        ? new Set()
        : await findSharingExternalId(tx, target.caller, { projectId, patientIds: [patientId] });
    return {
      referenceId: person.patient_id,
      email: person.enrolled_email,
      firstName: person.enrolled_first_name,
      lastName: person.enrolled_last_name,
      externalId: person.external_id,
      phones: person.phones,
      ...(sharing.has(patientId) && { warnings: [SHARED_EXTERNAL_ID] }),
    };
  });
}

/** Returns whether the address is another one now. */
async function changePerson(
  tx: Tx,
  before: statements.EnrolledPatientRow,
  { email = before.email, firstName = before.first_name, lastName = before.last_name }: Change,
): Promise<boolean> {
  const { patient_id: patientId } = before;
  const isAddressNew = toEmail(email) !== toEmail(before.email);
  if (email === before.email && firstName === before.first_name && lastName === before.last_name)
    return false;
  if (before.is_own || (isAddressNew && before.is_test_patient))
    throw createOwnRefusal(
      'Name and address are the person’s own: they sign in with them, or another organization knows them by these. For another address, enroll it, and end this enrollment once they have signed in there.',
    );
  if (isAddressNew) {
    if (!(await maybeOne(tx, statements.claimEmail(patientId, toEmail(email)))))
      throw new Refusal(409, 'address_taken', { detail: 'This e-mail address cannot be used.' });
    await tx.query(statements.releaseEmails(patientId, toEmail(email)));
  }
  await tx.query(statements.updatePerson(patientId, { email, firstName, lastName }));
  return isAddressNew;
}

/**
 * The language of mails is the person's own as the name is. The date of birth is what organizations alone write, and what a
 * connected server is asked with after the person has signed in: it stays to be corrected by the only one that knows them.
 */
async function changeDetails(
  tx: Tx,
  before: statements.EnrolledPatientRow,
  { dateOfBirth, languagePreference }: Change,
): Promise<void> {
  if (languagePreference !== undefined && before.is_own)
    throw createOwnRefusal('The language is the person’s own: they choose it on their page.');
  if (dateOfBirth !== undefined && before.is_known_elsewhere)
    throw createOwnRefusal('Another organization knows this person by a date of birth too.');
  if (dateOfBirth === undefined && languagePreference === undefined) return;
  const details = { dateOfBirth: dateOfBirth ?? null, language: languagePreference ?? null };
  await tx.query(statements.updateDetails(before.patient_id, details));
}

const createOwnRefusal = (detail: string): Refusal => new Refusal(409, 'has_account', { detail });

async function changeIdentifiers(
  tx: Tx,
  { patientId, projectId, organizationId }: EnrolledTarget,
  { externalId, phone }: Change,
): Promise<void> {
  if (externalId !== undefined) await tx.query(statements.updateExternalId(patientId, projectId, externalId));
  if (phone === undefined) return;
  await tx.query(statements.deletePhones(patientId, organizationId));
  const digits = normalizePhone(phone ?? '');
  if (digits !== '') await tx.query(insertPhones(organizationId, [{ patientId, phone: digits }]));
}

const lockPerson = async (tx: Tx, { patientId, ...target }: EnrolledTarget) => {
  const person = await maybeOne(tx, statements.lockEnrolledPerson(patientId, target));
  if (!person) throw createNotSharedRefusal();
  return person;
};

async function invite(
  tx: Tx,
  { clock, jobs, consentAppUrl }: EnrolledDeps,
  { target, person }: { target: EnrolledTarget; person: statements.EnrolledPatientRow },
): Promise<void> {
  const sender = await findMailSender(tx, target.organizationId);
  if (!sender) return;
  const to = { email: person.email, firstName: person.first_name, language: person.language };
  const { projectId, patientId } = target;
  await tx.query(markInvited(projectId, [patientId], clock.now()));
  await enqueueEnrollmentMail(tx, jobs, { notice: 'invited', to, projectId, sender, consentAppUrl });
}

const toAuditEntry = ({ caller, organizationId, projectId, patientId }: EnrolledTarget) => ({
  organizationId,
  projectId,
  patientId,
  actor: toActor(caller),
});
