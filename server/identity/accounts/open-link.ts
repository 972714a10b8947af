import type { Email } from '../../../contract/brands.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { hashSecret } from '../../platform/kernel/secret.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { findLink, findPersonByEmail } from './accounts.sql.ts';

interface OpenedLink {
  email: Email;
  hasPassword: boolean;
  needsName: boolean;
  continueWith: string | null;
}

/** What a mailed link is for, without using it up. */
export async function openLink({ db, clock }: { db: Db; clock: Clock }, token: string): Promise<OpenedLink> {
  const link = await maybeOne(db, findLink(hashSecret(token), clock.now()));
  if (!link) throw invalidLink();
  const person = await maybeOne(db, findPersonByEmail(link.email));
  return {
    email: link.email,
    hasPassword: person?.has_password ?? false,
    needsName: person === null,
    continueWith: link.continue_with,
  };
}

/** One answer for unknown, used and expired links. */
export const invalidLink = (): Refusal =>
  new Refusal(404, 'link_invalid', {
    detail: 'This link is unknown, was used already or has expired; ask for a new one.',
  });
