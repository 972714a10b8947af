import { findFromName } from '../patients/only-organization.ts';
import { toEmail } from '../../../contract/brands.ts';
import type { PatientSession } from '../../../contract/audience.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { forbidden } from '../../platform/kernel/refusal.ts';
import { MAIL_JOB, type Mail } from '../../platform/mail/mail.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { upsertPassword } from '../patients/patients.sql.ts';
import type { LoginThrottle } from '../tokens/login-throttle.ts';
import type { PasswordLine } from '../tokens/password-line.ts';
import * as statements from './accounts.sql.ts';
import { requireOwnPassword, wrongPassword } from './own-password.ts';
import { removeAllPasskeys } from './passkeys/remove-passkeys.ts';
import { renderPasswordMail } from './password-mail.ts';
import { requireStrongPassword, type PasswordRule } from './password-rule.ts';
import { beginSession } from './session.ts';

export interface ChangeDeps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  /** The throttle of signing in, so that guesses in both count together. */
  throttle: LoginThrottle;
  passwords: PasswordLine;
  passwordRule: PasswordRule;
}

interface Change {
  session: PatientSession;
  currentPassword: string;
  newPassword: string;
  keepPasskeys: boolean;
  /** The client's address. */
  address: string;
  requestId: string;
  device: string;
}

/**
 * Replaces the password of the person who is signed in and knows the present one. Every session and token of the old one
 * ends, passkeys too unless they are to be kept, and the person is notified by mail; returns the cookie of the session that
 * this browser has from now on.
 */
export async function changePassword(deps: ChangeDeps, change: Change): Promise<string> {
  const { db, clock, jobs, passwords, passwordRule } = deps;
  const { session, currentPassword, newPassword, keepPasskeys, device } = change;
  const { patientId, person } = session;
  if (session.testOrganizationId !== null)
    throw forbidden('The organization of a test patient sets its password.', 'test_patient');
  const email = toEmail(person.email);
  const verified = await requireOwnPassword(deps, { ...change, password: currentPassword });
  await requireStrongPassword(passwordRule, newPassword, {
    email,
    names: [person.firstName, person.lastName],
  });
  const passwordHash = await passwords.hash(newPassword, patientId);
  return db.tx(async (tx) => {
    const account = await maybeOne(tx, statements.lockAccount(patientId, verified));
    // Changed or deleted since it was verified.
    if (!account) throw wrongPassword();
    const now = clock.now();
    await tx.query(upsertPassword(patientId, passwordHash, now));
    await tx.query(statements.deletePatientSessions(patientId));
    await tx.query(statements.deleteLinks(email));
    const removed = keepPasskeys ? 0 : await removeAllPasskeys(tx, { patientId, device, now });
    await jobs.enqueue<Mail>(tx, {
      kind: MAIL_JOB,
      uniqueKey: generateId(),
      payload: {
        ...renderPasswordMail({
          to: account.email,
          language: account.language,
          arePasskeysRemoved: removed > 0,
        }),
        ...(await findFromName(tx, patientId)),
        about: { mail: 'password-changed' },
      },
    });
    return beginSession(tx, { patientId, now, by: 'password_changed', device });
  });
}
