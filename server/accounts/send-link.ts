import type { Jobs } from '../jobs/worker.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { hashSecret, newSecret } from '../kernel/secret.ts';
import { MAIL_JOB, type Mail } from '../mail/mail.ts';
import { maybeOne, type Db } from '../storage/db.ts';
import { insertLink, personByEmail } from './accounts.sql.ts';
import type { AccountLimits } from './limits.ts';
import { linkMail, type Language } from './link-mail.ts';

export interface Deps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  limits: AccountLimits;
  consentAppUrl: string;
}

export interface Ask {
  /** Lower case. */
  email: string;
  language: Language;
  continueWith?: string | undefined;
  /** The client's address. */
  address: string;
}

const HOUR_MS = 3_600_000;
const LIFE_MS = { newAccount: 24 * HOUR_MS, newPassword: HOUR_MS } as const;

/**
 * Mails the link that sets a password. Whoever asks learns nothing of the address: it has the same answer and costs
 * the same work with an account and without.
 */
export async function sendLink(deps: Deps, ask: Ask): Promise<{ status: 'sent' }> {
  await deps.limits.countAsk(ask.address);
  if (await deps.limits.countMail(ask.email)) await mailLink(deps, ask);
  return { status: 'sent' };
}

async function mailLink({ db, clock, jobs, consentAppUrl }: Deps, ask: Ask): Promise<void> {
  const person = await maybeOne(db, personByEmail(ask.email));
  // The password of a test patient is its organization's to set.
  if (person && person.test_organization_id !== null) return;
  const hasPassword = person?.has_password ?? false;
  const secret = newSecret('');
  const now = clock.now();
  const life = hasPassword ? LIFE_MS.newPassword : LIFE_MS.newAccount;
  const link = {
    hash: hashSecret(secret),
    email: ask.email,
    continueWith: ask.continueWith ?? null,
    now,
    expiresAt: new Date(now.getTime() + life),
  };
  // Behind the #, which a browser keeps to itself: no server's log ever holds it.
  const url = `${consentAppUrl}/#/account/link/${secret}`;
  await db.tx(async (tx) => {
    await tx.query(insertLink(link));
    await jobs.enqueue<Mail>(tx, {
      kind: MAIL_JOB,
      uniqueKey: newId(),
      payload: linkMail({ to: ask.email, url, language: ask.language, hasPassword }),
    });
  });
}
