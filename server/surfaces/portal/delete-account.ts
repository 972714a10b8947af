import { findFromName } from '../../identity/patients/only-organization.ts';
import { toEmail, type PatientId } from '../../../contract/brands.ts';
import { deleteLinks, lockAccount } from '../../identity/accounts/accounts.sql.ts';
import { requireOwnPassword, wrongPassword, type OwnPassword } from '../../identity/accounts/own-password.ts';
import { lockEnrollments } from '../../identity/patients/patients.sql.ts';
import { selectConsentsInForce } from '../../consent/decisions/consent.sql.ts';
import type { LoginThrottle } from '../../identity/tokens/login-throttle.ts';
import { API_TERMS, DELETION_FLOW, type DecisionDeps } from '../../consent/decisions/decide.ts';
import { withdrawInTx } from '../../consent/decisions/withdraw-consent.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { forbidden } from '../../platform/kernel/refusal.ts';
import { MAIL_JOB, type Mail } from '../../platform/mail/mail.ts';
import { deletePatient, eraseNow } from '../../identity/patients/delete-patient.ts';
import { maybeOne, type Db, type Tx } from '../../platform/db/db.ts';
import { lockForBatch } from '../../clinical/ingest/batches/uploads.sql.ts';
import { buildAccountDeletedMail } from './account-deleted-mail.ts';

export interface DeleteDeps extends DecisionDeps {
  db: Db;
  jobs: Jobs;
  /** The throttle of signing in, so that guesses in both count together. */
  throttle: LoginThrottle;
  /** The hash of the portal's build. */
  portalHash: string;
}

/**
 * Withdraws every consent and deletes the person, in one transaction; their record is erased after it. The rows that stay name
 * them by a random id only; the screenshots of their decisions may show more. An account made later with the same address is another person's.
 */
export async function deleteAccount(deps: DeleteDeps, deletion: OwnPassword): Promise<void> {
  const { patientId, testOrganizationId } = deletion.session;
  if (testOrganizationId !== null)
    throw forbidden('A test patient is deleted by its organization.', 'test_patient');
  const hash = await requireOwnPassword(deps, deletion);
  await deps.db.tx((tx) => erase(tx, deps, { patientId, hash }));
  await eraseNow(deps.db, patientId);
}

async function erase(
  tx: Tx,
  deps: DeleteDeps,
  { patientId, hash }: { patientId: PatientId; hash: string },
): Promise<void> {
  await tx.query(lockEnrollments(patientId));
  const account = await maybeOne(tx, lockAccount(patientId, hash));
  // Changed or deleted since the password was verified.
  if (!account) throw wrongPassword();
  await withdrawAll(tx, deps, patientId);
  // Every writer to the record locks this row: it has finished, or finds the row gone and ends.
  await tx.query(lockForBatch(patientId));
  const from = await findFromName(tx, patientId);
  await deletePatient(tx, deps, { patientId, keepEvidence: true, now: deps.clock.now() });
  await tx.query(deleteLinks(toEmail(account.email)));
  await deps.jobs.enqueue<Mail>(tx, {
    kind: MAIL_JOB,
    uniqueKey: generateId(),
    payload: {
      ...buildAccountDeletedMail({
        to: account.email,
        language: account.language?.startsWith('es') ? 'es' : 'en',
      }),
      ...from,
      about: { mail: 'account-deleted' },
      isLast: true,
    },
  });
}

/** Withdraws each consent as if by itself: with a record, its grants revoked, an audit entry and an event. */
async function withdrawAll(tx: Tx, deps: DeleteDeps, patientId: PatientId): Promise<void> {
  const inForce = await tx.query(selectConsentsInForce(patientId, deps.clock.now()));
  const terms = { ...API_TERMS, uiFlow: DELETION_FLOW, uiHash: deps.portalHash };
  for (const { project_id: projectId, consent_type: consentType } of inForce)
    await withdrawInTx(tx, deps, { target: { patientId, projectId, consentType }, terms });
}
