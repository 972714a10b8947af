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
import { findAskingProjects } from '../organizations/projects.sql.ts';
import * as statements from './enrolled-patients.sql.ts';
import { enqueueEnrollmentMail } from './invitation.ts';
import { createNotSharedRefusal } from './not-shared.ts';
import * as phones from './patient-phones.sql.ts';
import { toRecipient } from './recipient.ts';
import { normalizePhone } from './phone.ts';
import { markInvited } from './progress.sql.ts';
import { findSharingExternalId, SHARED_EXTERNAL_ID } from './shared-external-ids.ts';

/** Called in the transaction in which an account says something else of its person; `clinical/store` has the record. */
export type OnPersonChanged = (tx: Tx, person: { patientId: PatientId; createdAt: Date }) => Promise<void>;

export interface EnrolledDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: Jobs;
  consentAppUrl: string;
  onPersonChanged: OnPersonChanged;
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
  if (!(await deps.countMail(toEmail(toRecipient(person).email))))
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
 * Corrects what an organization wrote of a patient: always what it wrote itself, and what is shared of the person where nobody
 * else relies on that. The answer is the same either way, so that it says neither whether the person has an account nor
 * whether another organization knows them, and none of these keeps an organization from correcting its own words.
 */
export function updateEnrolledPatient(
  deps: EnrolledDeps,
  target: EnrolledTarget,
  change: Change,
): Promise<EnrolledPatientDto> {
  return deps.db.tx(async (tx) => {
    const before = await lockPerson(tx, target);
    const isAddressNew = await changePerson(tx, deps, { target, before, change });
    await changeIdentifiers(tx, target, change);
    if (change.phone !== undefined && !before.is_known_elsewhere)
      await tx.query(statements.updatePhone(target.patientId, change.phone));
    const person = await lockPerson(tx, target);
    const { suppressNotifications, ...fields } = change;
    const changed = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    await deps.audit.write(tx, { ...toAuditEntry(target), action: 'patient.updated', detail: { changed } });
    const isInvited = isAddressNew && suppressNotifications !== true && !person.has_decided;
    if (isInvited && !person.is_test_patient) await invite(tx, deps, { target, person });
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

/** Returns whether the organization calls the person by another address now. */
async function changePerson(
  tx: Tx,
  { onPersonChanged }: EnrolledDeps,
  {
    target,
    before,
    change,
  }: { target: EnrolledTarget; before: statements.EnrolledPatientRow; change: Change },
): Promise<boolean> {
  const { patientId } = target;
  const written = toWritten(change);
  const email = written.email === null ? null : toEmail(written.email);
  const isAddressNew = email !== null && email !== toEmail(before.enrolled_email ?? '');
  if (email !== null && isAddressNew) {
    if (await maybeOne(tx, statements.hasOtherWithAddress(patientId, target, email)))
      throw new Refusal(409, 'address_taken', {
        detail: 'Somebody else whom you enrolled in this project has this e-mail address.',
      });
  }
  await tx.query(statements.updateWritten(patientId, toTarget(target), written));
  const isMoved = email !== null && (await moveAddress(tx, before, email));
  const corrected = await maybeOne(
    tx,
    statements.updatePerson(patientId, {
      email: isMoved ? written.email : null,
      ...(before.has_account || before.is_name_shared
        ? { firstName: null, lastName: null }
        : { firstName: written.firstName, lastName: written.lastName }),
      // What organizations alone write, also of whoever has signed in.
      dateOfBirth: before.is_known_elsewhere ? null : written.dateOfBirth,
      language: before.has_account || before.is_known_elsewhere ? null : written.language,
    }),
  );
  if (corrected?.is_seen === true) await onPersonChanged(tx, { patientId, createdAt: corrected.created_at });
  return isAddressNew;
}

const toWritten = (change: Change): statements.WrittenPerson => ({
  email: change.email ?? null,
  firstName: change.firstName ?? null,
  lastName: change.lastName ?? null,
  dateOfBirth: change.dateOfBirth ?? null,
  language: change.languagePreference ?? null,
});

/**
 * Lets the new address lead to the person, and the old one no longer; returns whether it does. Where somebody has it, nobody
 * signs in as this person, and whoever has it takes the enrollment over when they come to the invitation (`adoptEnrollment`).
 */
async function moveAddress(
  tx: Tx,
  {
    patient_id: patientId,
    has_account: hasAccount,
    is_address_shared: isShared,
  }: statements.EnrolledPatientRow,
  email: Email,
): Promise<boolean> {
  if (hasAccount || isShared) return false;
  await tx.query(statements.claimEmail(patientId, email));
  await tx.query(statements.releaseEmails(patientId, email));
  return (await maybeOne(tx, statements.hasEmail(patientId, email))) !== null;
}

async function changeIdentifiers(
  tx: Tx,
  { caller, patientId, projectId, organizationId }: EnrolledTarget,
  { externalId, phone }: Change,
): Promise<void> {
  if (externalId !== undefined) await tx.query(statements.updateExternalId(patientId, projectId, externalId));
  if (phone === undefined) return;
  const reach = { organizationId, projectIds: caller.projectIds };
  const replaced = await tx.query(phones.selectProjectsOfPhones(patientId, reach));
  await tx.query(phones.deletePhones(patientId, reach));
  if (caller.projectIds !== null)
    await tx.query(phones.releasePhones(patientId, organizationId, caller.projectIds));
  const digits = normalizePhone(phone ?? '');
  if (digits === '') return;
  const projectIds = replaced
    .map((row) => row.project_id)
    .filter((id) => caller.projectIds?.includes(id) ?? true);
  const written = { patientId, phone: digits };
  await tx.query(phones.insertPhones(organizationId, [...new Set([projectId, ...projectIds])], [written]));
}

const toTarget = ({ caller, ...target }: EnrolledTarget): statements.EnrollmentTarget => ({
  ...target,
  projectIds: caller.projectIds,
});

const lockPerson = async (tx: Tx, target: EnrolledTarget) => {
  const person = await maybeOne(tx, statements.lockEnrolledPerson(target.patientId, toTarget(target)));
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
  const to = toRecipient(person);
  const { projectId, patientId } = target;
  await tx.query(markInvited(projectId, [patientId], clock.now()));
  const isAsking = (await maybeOne(tx, findAskingProjects([projectId]))) !== null;
  await enqueueEnrollmentMail(tx, jobs, {
    notice: 'invited',
    isAsking,
    to,
    projectId,
    sender,
    consentAppUrl,
  });
}

const toAuditEntry = ({ caller, organizationId, projectId, patientId }: EnrolledTarget) => ({
  organizationId,
  projectId,
  patientId,
  actor: toActor(caller),
});
