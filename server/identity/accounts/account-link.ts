import type { Email, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { hashSecret, generateSecret } from '../../platform/kernel/secret.ts';
import { MAIL_JOB, type Mail } from '../../platform/mail/mail.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { findMailSenderOfProject } from '../organizations/mail-sender.ts';
import { markOpened, selectUnopened } from '../patients/progress.sql.ts';
import { findLink, findPersonByEmail, insertLink } from './accounts.sql.ts';
import type { AccountLimits } from './limits.ts';
import { findPasskeys } from './passkeys/passkeys.sql.ts';
import { renderLinkMail, type Language } from './link-mail.ts';

export interface Deps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  limits: AccountLimits;
  consentAppUrl: string;
}

export interface LinkRequest {
  email: Email;
  language: Language;
  continueWith?: string | undefined;
  projectId?: ProjectId | undefined;
  /** The client's address. */
  address: string;
}

const HOUR_MS = 3_600_000;
const LIFETIME_MS = { newAccount: 24 * HOUR_MS, newPassword: HOUR_MS } as const;

/**
 * Mails the link that sets a password. The caller learns nothing about the address: the response and the work are the
 * same with and without an account.
 */
export async function sendLink(deps: Deps, request: LinkRequest): Promise<{ status: 'sent' }> {
  await deps.limits.countLinkRequest(request.address);
  if (await deps.limits.countMail(request.email)) await mailLink(deps, request);
  return { status: 'sent' };
}

async function mailLink({ db, clock, jobs, consentAppUrl }: Deps, request: LinkRequest): Promise<void> {
  const person = await maybeOne(db, findPersonByEmail(request.email));
  // Only its organization sets the password of a test patient.
  if (person && person.test_organization_id !== null) return;
  const hasPassword = person?.has_password ?? false;
  const secret = generateSecret('');
  const now = clock.now();
  const lifetimeMs = hasPassword ? LIFETIME_MS.newPassword : LIFETIME_MS.newAccount;
  const link = {
    hash: hashSecret(secret),
    email: request.email,
    continueWith: request.continueWith ?? null,
    projectId: request.projectId ?? null,
    language: request.language,
    now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  };
  // The secret stands behind the #, which a browser never sends: no server's log holds it.
  const url = `${consentAppUrl}/#/account/link/${secret}`;
  const sender = request.projectId ? await findMailSenderOfProject(db, request.projectId) : null;
  await db.tx(async (tx) => {
    await tx.query(insertLink(link));
    await jobs.enqueue<Mail>(tx, {
      kind: MAIL_JOB,
      uniqueKey: generateId(),
      payload: {
        ...renderLinkMail({ to: request.email, url, language: request.language, hasPassword, sender }),
        about: { mail: 'account-link', ...(request.projectId && { projectId: request.projectId }) },
      },
    });
  });
}

export interface OpenedLink {
  email: Email;
  hasPassword: boolean;
  needsName: boolean;
  passkeys: { name: string; createdAt: string }[];
  continueWith: string | null;
  projectId: ProjectId | null;
  /** Of the page on which it was asked for. */
  language: string | null;
}

/**
 * Returns what a mailed link is for, without consuming it; throws `link_invalid` for a dead one. One that goes on with an
 * invitation proves that the invited person came to it.
 */
export async function openLink({ db, clock }: { db: Db; clock: Clock }, token: string): Promise<OpenedLink> {
  const link = await maybeOne(db, findLink(hashSecret(token), clock.now()));
  if (!link) throw invalidLink();
  const person = await maybeOne(db, findPersonByEmail(link.email));
  if (link.project_id !== null) await noteOpened({ db, clock }, link.email, link.project_id);
  return {
    email: link.email,
    hasPassword: person?.has_password ?? false,
    needsName: person === null,
    passkeys: person?.has_password ? await listPasskeys(db, person.patient_id) : [],
    continueWith: link.continue_with,
    projectId: link.project_id,
    language: link.language,
  };
}

const listPasskeys = async (db: Db, patientId: PatientId): Promise<OpenedLink['passkeys']> =>
  (await db.query(findPasskeys(patientId))).map(({ name, created_at: createdAt }) => ({
    name,
    createdAt: createdAt.toISOString(),
  }));

async function noteOpened(
  { db, clock }: { db: Db; clock: Clock },
  email: Email,
  projectId: ProjectId,
): Promise<void> {
  const unopened = await maybeOne(db, selectUnopened(email, projectId));
  if (unopened) await db.query(markOpened(unopened.patient_id, projectId, clock.now()));
}

/** Builds the same refusal for unknown, used and expired links. */
export const invalidLink = (): Refusal =>
  new Refusal(404, 'link_invalid', {
    detail: 'This link is unknown, was used already or has expired; ask for a new one.',
  });
