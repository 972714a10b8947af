import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { findMailSender } from '../../identity/organizations/mail-sender.ts';
import {
  deleteEnrollment,
  lockEnrolledPerson,
  type EnrolledPatientRow,
} from '../../identity/patients/enrolled-patients.sql.ts';
import { deleteUnusedPhones, releasePhones } from '../../identity/patients/patient-phones.sql.ts';
import { insertPastEnrollment } from '../../identity/patients/progress.sql.ts';
import { enqueueEnrollmentMail } from '../../identity/patients/invitation.ts';
import { createNotSharedRefusal } from '../../identity/patients/not-shared.ts';
import { toRecipient } from '../../identity/patients/recipient.ts';
import { toActor } from '../../platform/audit/append.ts';
import { maybeOne, type Db, type Queryable } from '../../platform/db/db.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import { selectConsentsInForce } from './consent.sql.ts';
import { API_TERMS, decide, ENROLLMENT_ENDED_FLOW, type DecisionDeps } from './decide.ts';

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
 * person again would open their record without asking.
 */
export async function endEnrollment(deps: EndDeps, enrollment: Enrollment): Promise<void> {
  if (!(await endIfEnrolled(deps, enrollment))) throw createNotSharedRefusal();
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
    const consents = await tx.query(selectConsentsInForce(patientId, deps.clock.now()));
    for (const { consent_type: consentType } of consents.filter((row) => row.project_id === projectId))
      await decide(tx, deps, {
        patientId,
        projectId,
        consentType,
        resolveTerms: () => ({
          ...API_TERMS,
          uiFlow: ENROLLMENT_ENDED_FLOW,
          consentStatus: 'OPTED_OUT',
          scopes: null,
          expiresAt: null,
          endedBy: caller,
        }),
      });
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
    const sender = isKnowing(person) ? await findMailSender(tx, organizationId) : null;
    if (!sender) return true;
    const to = toRecipient(person);
    const { jobs, consentAppUrl } = deps;
    await enqueueEnrollmentMail(tx, jobs, { notice: 'ended', to, projectId, sender, consentAppUrl });
    return true;
  });
}

/** Who was enrolled silently, and can sign in nowhere, was never written to: a mail would name the organization to them first. */
const isKnowing = (person: EnrolledPatientRow): boolean =>
  !person.is_test_patient && (person.was_invited || person.has_decided || person.has_account);
