import type { z } from 'zod';
import type { PatientSession } from '../../../../contract/audience.ts';
import type { Email, PatientId } from '../../../../contract/brands.ts';
import type { confirmEmailChange } from '../../../../contract/account/email-change.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import { notSignedIn } from '../../../platform/http/access.ts';
import type { Jobs } from '../../../platform/jobs/worker.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { forbidden, Refusal } from '../../../platform/kernel/refusal.ts';
import { generateSecret, hashSecret } from '../../../platform/kernel/secret.ts';
import { MAIL_JOB, type Mail } from '../../../platform/mail/mail.ts';
import {
  claimEmail,
  hasEmail,
  releaseEmails,
  takeEmail,
  updatePerson,
} from '../../patients/enrolled-patients.sql.ts';
import { findFromName } from '../../patients/only-organization.ts';
import { upsertPassword } from '../../patients/patients.sql.ts';
import type { PasswordLine } from '../../tokens/password-line.ts';
import { invalidLink } from '../account-link.ts';
import * as accounts from '../accounts.sql.ts';
import { removeAllPasskeys } from '../passkeys/remove-passkeys.ts';
import * as statements from './email-change.sql.ts';
import { renderEmailMail } from './email-mail.ts';
import { buildChangeUrl, isTaken } from './request-change.ts';

export interface ConfirmDeps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  passwords: PasswordLine;
  consentAppUrl: string;
}

/** For how long a link restores an address: as long as a person may not look at their mails. */
const RESTORATION_MS = 7 * 24 * 3_600_000;

const PASSWORD_LINK_MS = 3_600_000;

/** Returns what a mailed link is for, without consuming it; throws `link_invalid` for a dead one. */
export async function openChange(
  { db, clock }: Pick<ConfirmDeps, 'db' | 'clock'>,
  token: string,
): Promise<statements.EmailChangeRow> {
  const change = await maybeOne(db, statements.findChange(hashSecret(token), clock.now()));
  if (!change) throw invalidLink();
  return change;
}

interface LinkUse {
  token: string;
  /** As `openChange` returned it. */
  change: statements.EmailChangeRow;
}

/**
 * Ends a change that the reader of the mailbox did not ask for; throws `link_invalid` for a link that restores an address, and for
 * one that was used since it was opened: the page says that the change has ended only where it has.
 */
export async function cancelChange(
  { db, clock }: Pick<ConfirmDeps, 'db' | 'clock'>,
  { token, change }: LinkUse,
): Promise<void> {
  const { patient_id: patientId, email, is_restoration: isRestoration } = change;
  if (isRestoration) throw invalidLink();
  await db.tx(async (tx) => {
    await consumeLink(tx, { token, patientId, now: clock.now() });
    await tx.query(statements.deleteChangesTo(patientId, email));
  });
}

interface Confirmation extends LinkUse {
  /** Who is signed in in the browser; null: nobody. */
  session: PatientSession | null;
  sessionHash: Buffer;
  device: string;
}

/** What both directions work with, in their transaction. */
interface Move {
  patientId: PatientId;
  /** The address that the account gets. */
  email: Email;
  /** The one that it had. */
  former: Email;
  device: string;
  now: Date;
}

/**
 * Gives an account the address to which the link was mailed, in a session of that account: the link shows that somebody reads the
 * mailbox, and the session that the account is theirs. Without it, whoever clicked would hand their address, and the enrollments
 * and records that are found by it, to a stranger's account. Links that were mailed to the former one are dead from then on, and
 * it gets a mail with one that restores it: who has come by the password of somebody else cannot take their account away unseen.
 */
export async function confirmChange(
  deps: ConfirmDeps,
  confirmation: Confirmation,
): Promise<z.infer<(typeof confirmEmailChange)['response']>> {
  const { token, device, change, sessionHash } = confirmation;
  requireOwnAccount(confirmation);
  const { patient_id: patientId, email, is_restoration: isRestoration } = change;
  // Nobody knows it: who restores the account chooses another.
  const unknown = isRestoration ? await deps.passwords.hash(generateSecret(''), email) : null;
  return deps.db.tx(async (tx) => {
    const now = deps.clock.now();
    const { account, link } = await consumeLink(tx, { token, patientId, now });
    if (!isRestoration && !(await maybeOne(tx, accounts.hasSession(patientId, sessionHash))))
      throw notSignedIn();
    const move = { patientId, email, former: account.email, device, now };
    await moveAccount(tx, move);
    const passwordToken =
      unknown === null
        ? await notifyFormer(tx, deps, { ...move, language: account.language })
        : await restoreAccount(tx, { ...move, unknown, language: change.language, since: link.created_at });
    return { email, isRestoration, passwordToken };
  });
}

interface Consumed {
  account: { email: Email; language: string | null };
  link: { created_at: Date };
}

/** Locks the account and uses its link up; throws `link_invalid` where somebody else did so first. */
async function consumeLink(
  tx: Tx,
  { token, patientId, now }: { token: string; patientId: PatientId; now: Date },
): Promise<Consumed> {
  const account = await maybeOne(tx, statements.lockChanging(patientId));
  const link = account && (await maybeOne(tx, statements.consumeChange(hashSecret(token), patientId, now)));
  if (!link) throw invalidLink();
  return { account, link };
}

/** A link that restores an address is for those who cannot sign in any more, to an account that had the address. */
function requireOwnAccount({ change, session }: Confirmation): void {
  if (change.is_restoration) return;
  if (session === null) throw notSignedIn();
  if (session.patientId !== change.patient_id)
    throw forbidden('Somebody else asked for this address than who is signed in.', 'other_account');
}

async function moveAccount(tx: Tx, { patientId, email, former }: Move): Promise<void> {
  // Whoever chooses a password by one of these at the same time has an account with the address by now, or finds the link gone.
  await tx.query(accounts.deleteLinks(email));
  await claimFree(tx, patientId, email);
  if (!(await maybeOne(tx, hasEmail(patientId, email)))) throw taken();
  await tx.query(releaseEmails(patientId, email));
  await tx.query(updatePerson(patientId, { ...UNCHANGED, email }));
  await tx.query(accounts.deleteLinks(former));
  await tx.query(statements.deleteChanges(patientId));
}

/**
 * Gives a patient an address that has no account. Whom an organization enrolled with it stays enrolled, and the person comes to that
 * by its invitation (`adoptEnrollment`).
 */
async function claimFree(tx: Tx, patientId: PatientId, email: Email): Promise<void> {
  const holder = await maybeOne(tx, accounts.findPersonByEmail(email));
  if (holder === null || isTaken(holder)) await tx.query(claimEmail(patientId, email));
  else await tx.query(takeEmail(patientId, email, holder.patient_id));
}

const UNCHANGED = { firstName: null, lastName: null, dateOfBirth: null, language: null } as const;

async function notifyFormer(
  tx: Tx,
  { jobs, consentAppUrl }: ConfirmDeps,
  { patientId, former, device, now, language: written }: Move & { language: string | null },
): Promise<null> {
  const secret = generateSecret('');
  const language = written?.startsWith('es') ? 'es' : 'en';
  const expiresAt = new Date(now.getTime() + RESTORATION_MS);
  await tx.query(
    statements.insertRestoration({
      hash: hashSecret(secret),
      patientId,
      email: former,
      language,
      now,
      expiresAt,
    }),
  );
  await tx.query(accounts.insertAccountEvent({ patientId, kind: 'email_changed', device, at: now }));
  const url = buildChangeUrl(consentAppUrl, secret);
  await jobs.enqueue<Mail>(tx, {
    kind: MAIL_JOB,
    uniqueKey: generateId(),
    payload: {
      ...renderEmailMail('changed', { to: former, language, url }),
      ...(await findFromName(tx, patientId)),
      about: { mail: 'email-changed' },
      isLast: true,
    },
  });
  return null;
}

interface Restoration extends Move {
  /** The hash of a password that nobody knows. */
  unknown: string;
  language: string;
  /** When the address was changed. */
  since: Date;
}

/**
 * Ends whatever signs in to the account, for somebody else may have chosen it, and returns the secret of a link that chooses a
 * password, as one that is mailed to the address.
 */
async function restoreAccount(
  tx: Tx,
  { patientId, email, device, now, unknown, language, since }: Restoration,
): Promise<string> {
  // Links to earlier addresses stay: whoever changed the address twice had the second one mailed to themselves.
  await tx.query(statements.deleteRestorationsAfter(patientId, since));
  await tx.query(upsertPassword(patientId, unknown, now));
  await tx.query(accounts.deletePatientSessions(patientId));
  await removeAllPasskeys(tx, { patientId, device, now });
  await tx.query(accounts.insertAccountEvent({ patientId, kind: 'email_restored', device, at: now }));
  const secret = generateSecret('');
  await tx.query(
    accounts.insertLink({
      hash: hashSecret(secret),
      email,
      continueWith: null,
      projectId: null,
      language: language === 'es' ? 'es' : 'en',
      now,
      expiresAt: new Date(now.getTime() + PASSWORD_LINK_MS),
    }),
  );
  return secret;
}

const taken = (): Refusal =>
  new Refusal(409, 'address_taken', { detail: 'Somebody has an account with this address by now.' });
