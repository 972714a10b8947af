import { maybeOne, type Db } from '../platform/db/db.ts';
import type { ReportActivity } from '../platform/http/activity.ts';
import { findKeyByName } from './organizations/api-keys.sql.ts';
import type { Who } from './tokens/login-throttle.ts';

/** What may be signed in to, by the beginning of `Who.account`. */
const LOGINS: Readonly<Record<string, string>> = {
  key: 'api_key',
  email: 'patient',
  member: 'member',
  passkey: 'passkey',
};

/**
 * Reports wrong credentials with the ids of what they were tried for, where there is such a thing: what was typed, an address or the
 * name of a key, is a stranger's, and a patient is named in no log.
 */
export async function reportFailedSignIn(
  { db, report }: { db: Db; report: ReportActivity },
  { account, requestId, memberId }: Pick<Who, 'account' | 'requestId' | 'memberId'>,
): Promise<void> {
  const [kind = '', ...name] = account.split(':');
  const key = kind === 'key' ? await maybeOne(db, findKeyByName(name.join(':'))).catch(() => null) : null;
  report('sign_in_failed', {
    reqId: requestId,
    login: LOGINS[kind],
    memberId,
    apiKeyId: key?.api_key_id,
    organizationId: key?.organization_id,
  });
}
