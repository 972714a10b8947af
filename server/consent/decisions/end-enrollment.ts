import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { findMailSender } from '../../identity/organizations/mail-sender.ts';
import {
  deleteEnrollment,
  lockEnrolledPerson,
  type EnrolledPatientRow,
} from '../../identity/patients/enrolled-patients.sql.ts';
import { deleteUnusedPhones, releasePhones } from '../../identity/patients/patient-phones.sql.ts';
import { hasPastEnrollment, insertPastEnrollment } from '../../identity/patients/progress.sql.ts';
import { enqueueEnrollmentMail, type EnrollmentEnding } from '../../identity/patients/invitation.ts';
import { createNotSharedRefusal } from '../../identity/patients/not-shared.ts';
import { toRecipient } from '../../identity/patients/recipient.ts';
import { toActor } from '../../platform/audit/append.ts';
import { maybeOne, type Db, type Queryable } from '../../platform/db/db.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { DecisionDeps } from './decide.ts';
import { endConsents } from './end-consents.ts';

export interface EndDeps extends DecisionDeps {
  db: Db;
  jobs: Jobs;
  consentAppUrl: string;
}

interface Enrollment {
  caller: OrganizationCaller;
  patientId: PatientId;
  projectId: ProjectId;
  organizationId: OrganizationId;
}

/**
 * Ends an enrollment. Every consent in force ends with it, by a record that says so: had they stayed in force, enrolling the
 * person again would open their record without asking. Once more, after an answer that was lost, it changes nothing.
 */
export async function endEnrollment(deps: EndDeps, enrollment: Enrollment): Promise<void> {
  const { caller, patientId, ...project } = enrollment;
  if (await endIfEnrolled(deps, enrollment)) return;
  const target = { ...project, projectIds: caller.projectIds };
  if (!(await maybeOne(deps.db, hasPastEnrollment(patientId, target)))) throw createNotSharedRefusal();
}

/** Ends an enrollment unless there is none, or none any more that `isMeant` once it is locked; says whether it did. */
export function endIfEnrolled(
  deps: EndDeps,
  enrollment: Enrollment,
  isMeant: (tx: Queryable) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const { caller, patientId, projectId, organizationId } = enrollment;
  return deps.db.tx(async (tx) => {
    const person = await maybeOne(
      tx,
      lockEnrolledPerson(patientId, { projectId, organizationId, projectIds: caller.projectIds }),
    );
    if (!person || !(await isMeant(tx))) return false;
    await endConsents(tx, deps, { caller, patientId, projectId });
    await tx.query(insertPastEnrollment(patientId, projectId, deps.clock.now()));
    await tx.query(deleteEnrollment(patientId, projectId));
    await tx.query(releasePhones(patientId, organizationId, [projectId]));
    await tx.query(deleteUnusedPhones(patientId, organizationId));
    await deps.audit.write(tx, {
      organizationId,
      action: 'enrollment.ended',
      actor: toActor(caller),
      projectId,
      patientId,
    });
    const sender = mayBeNotified(person) ? await findMailSender(tx, organizationId) : null;
    if (!sender) return true;
    const to = toRecipient(person);
    const { jobs, consentAppUrl } = deps;
    const mail = { to, projectId, sender, consentAppUrl };
    await enqueueEnrollmentMail(tx, jobs, { notice: 'ended', ending: chooseEnding(person), ...mail });
    return true;
  });
}

/** Who said no, or nothing, was not read for the project; who has no account besides has no page to look at. */
function chooseEnding(person: EnrolledPatientRow): EnrollmentEnding {
  if (person.has_consented) return 'ended';
  return person.has_account || person.has_decided ? 'endedUnshared' : 'endedUnopened';
}

/** Who was enrolled silently, and can sign in nowhere, was never written to: a mail would name the organization to them first. */
const mayBeNotified = (person: EnrolledPatientRow): boolean =>
  !person.is_test_patient && (person.was_invited || person.has_decided || person.has_account);
