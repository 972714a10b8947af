import { toEmail, type Email } from '../../../../contract/brands.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import type { Jobs } from '../../../platform/jobs/worker.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { forbidden, invalidInput } from '../../../platform/kernel/refusal.ts';
import { generateSecret, hashSecret } from '../../../platform/kernel/secret.ts';
import { MAIL_JOB, type Mail } from '../../../platform/mail/mail.ts';
import type { LoginThrottle } from '../../tokens/login-throttle.ts';
import { findPersonByEmail, type PersonRow } from '../accounts.sql.ts';
import type { AccountLimits } from '../limits.ts';
import type { Language } from '../link-mail.ts';
import { requireOwnPassword, wrongPassword, type OwnPassword } from '../own-password.ts';
import { renderEmailMail } from './email-mail.ts';
import { insertChange } from './email-change.sql.ts';

export interface RequestDeps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  throttle: LoginThrottle;
  limits: AccountLimits;
  consentAppUrl: string;
}

interface ChangeRequest extends OwnPassword {
  /** The address that the account is to get. */
  email: Email;
  language: Language;
}

const LIFETIME_MS = 3_600_000;

/**
 * Mails a link to the address that an account is to get. Nothing changes before it is followed in a session of the account, which
 * shows that its person reads what comes there. Response and work are the same where somebody has the address: only its own mail
 * says so.
 */
export async function requestEmailChange(
  deps: RequestDeps,
  request: ChangeRequest,
): Promise<{ status: 'sent' }> {
  const { session, email, address } = request;
  if (session.testOrganizationId !== null)
    throw forbidden('The organization of a test patient gives it its address.', 'test_patient');
  if (email === toEmail(session.person.email))
    throw invalidInput([{ path: 'email', message: 'is the address of the account already' }]);
  const passwordHash = await requireOwnPassword(deps, request);
  await deps.limits.countLinkRequest(address);
  if (await deps.limits.countMail(email))
    await deps.db.tx((tx) => mailChange(tx, deps, { ...request, passwordHash }));
  return { status: 'sent' };
}

async function mailChange(
  tx: Tx,
  { clock, jobs, consentAppUrl }: RequestDeps,
  { session: { patientId }, email, language, passwordHash }: ChangeRequest & { passwordHash: string },
): Promise<void> {
  const secret = generateSecret('');
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const change = { hash: hashSecret(secret), patientId, email, language, now, expiresAt };
  // Changed or deleted since it was verified.
  if (!(await maybeOne(tx, insertChange(change, passwordHash)))) throw wrongPassword();
  const holder = await maybeOne(tx, findPersonByEmail(email));
  const hasAccount = holder !== null && isTaken(holder);
  const url = buildChangeUrl(consentAppUrl, secret);
  await jobs.enqueue<Mail>(tx, {
    kind: MAIL_JOB,
    uniqueKey: generateId(),
    payload: {
      ...renderEmailMail(hasAccount ? 'taken' : 'confirm', { to: email, language, url }),
      // No organization's name as sender: whoever else reads this address learns nothing of whom the person takes part with, and a
      // stranger asks in nobody's name.
      about: { mail: 'email-change' },
    },
  });
}

/** True where somebody signs in with an address. One that an organization wrote belongs to whoever reads its mails. */
export const isTaken = (holder: PersonRow & { has_password: boolean }): boolean =>
  holder.has_password || holder.is_test_patient;

/** The secret stands behind the #, which a browser never sends: no server's log holds it. */
export const buildChangeUrl = (consentAppUrl: string, secret: string): string =>
  `${consentAppUrl}/#/account/email/${secret}`;
