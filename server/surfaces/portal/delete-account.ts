import { toEmail, type PatientId } from '../../../contract/brands.ts';
import { deleteLinks } from '../../identity/accounts/accounts.sql.ts';
import type { PatientSession } from '../../../contract/audience.ts';
import type { LoginThrottle } from '../../identity/tokens/login-throttle.ts';
import { API_TERMS, type DecisionDeps } from '../../consent/decisions/decide.ts';
import { withdrawInTx } from '../../consent/decisions/withdraw-consent.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { verifyPassword } from '../../platform/kernel/password.ts';
import { forbidden, Refusal } from '../../platform/kernel/refusal.ts';
import { MAIL_JOB, type Mail } from '../../platform/mail/mail.ts';
import { deletePatientFrom, PATIENT_TABLES } from '../../identity/patients/test-patients.sql.ts';
import { maybeOne, type Db, type Tx } from '../../platform/db/db.ts';
import { lockForBatch } from '../../clinical/ingest/batches/uploads.sql.ts';
import * as statements from './delete-account.sql.ts';
import { buildAccountDeletedMail } from './account-deleted-mail.ts';

export interface DeleteDeps extends DecisionDeps {
  db: Db;
  jobs: Jobs;
  /** The one of signing in, so that guesses here and there add up. */
  throttle: LoginThrottle;
  /** The hash of the portal's build. */
  portalHash: string;
}

interface Deletion {
  session: PatientSession;
  password: string;
  /** The client's address. */
  address: string;
}

/** The evidence of what was permitted, which the organizations must be able to show after the patient has gone. */
const RETAINED_TABLES: ReadonlySet<string> = new Set([
  'consent_record',
  'consent_screenshot',
  'consent_record_patient',
]);

const DELETED_TABLES = PATIENT_TABLES.filter((table) => !RETAINED_TABLES.has(table));

/**
 * Takes back every consent and forgets the person, in one transaction. What stays names them by a random id alone, but
 * for the pictures of the pages they saw. Who makes an account by the same address later is somebody new.
 */
export async function deleteAccount(
  deps: DeleteDeps,
  { session, password, address }: Deletion,
): Promise<void> {
  const { patientId } = session;
  if (session.testOrganizationId !== null)
    throw forbidden('A test patient is deleted by its organization.', 'test_patient');
  const account = `email:${toEmail(session.person.email)}`;
  const hash = await deps.throttle.guard({ account, address }, () =>
    findMatchingHash(deps.db, patientId, password),
  );
  if (hash === null) throw wrongPassword();
  await deps.db.tx((tx) => erase(tx, deps, { patientId, hash }));
}

/** The stored hash that the password is right for; null when it is wrong. */
async function findMatchingHash(db: Db, patientId: PatientId, password: string): Promise<string | null> {
  const row = await maybeOne(db, statements.selectPasswordHash(patientId));
  return row && (await verifyPassword(row.password_hash, password)) ? row.password_hash : null;
}

async function erase(
  tx: Tx,
  deps: DeleteDeps,
  { patientId, hash }: { patientId: PatientId; hash: string },
): Promise<void> {
  await tx.query(statements.lockEnrollments(patientId));
  const account = await maybeOne(tx, statements.lockAccount(patientId));
  // Changed or deleted since the password was looked at.
  if (account?.password_hash !== hash) throw wrongPassword();
  await withdrawAll(tx, deps, patientId);
  // Whoever writes to the record holds this row: they are through, or find it gone and end.
  await tx.query(lockForBatch(patientId));
  for (const table of DELETED_TABLES) await tx.query(deletePatientFrom(table, patientId));
  await tx.query(deleteLinks(toEmail(account.email)));
  await deps.jobs.enqueue<Mail>(tx, {
    kind: MAIL_JOB,
    uniqueKey: generateId(),
    payload: buildAccountDeletedMail({
      to: account.email,
      language: account.language?.startsWith('es') ? 'es' : 'en',
    }),
  });
}

/** As if each had been taken back by itself: a record, the end of its grants, the log, and word to the partner. */
async function withdrawAll(tx: Tx, deps: DeleteDeps, patientId: PatientId): Promise<void> {
  const inForce = await tx.query(statements.selectConsentsInForce(patientId, deps.clock.now()));
  const terms = { ...API_TERMS, uiFlow: 'MY_DATA_DELETION', uiHash: deps.portalHash };
  for (const { project_id: projectId, consent_type: consentType } of inForce)
    await withdrawInTx(tx, deps, { target: { patientId, projectId, consentType }, terms });
}

const wrongPassword = (): Refusal =>
  new Refusal(401, 'invalid_credentials', { detail: 'The password is wrong.' });
