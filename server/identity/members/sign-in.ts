import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Email } from '../../../contract/brands.ts';
import type { Audit } from '../../platform/audit/append.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { consumeOrThrow } from '../../platform/http/rate-limit.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { SecretSeal } from '../../platform/keys/secret-seal.ts';
import { verifyDummyPassword, verifyPassword } from '../../platform/kernel/password.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { OidcProvider } from './oidc/provider.ts';
import { requireOwnLogin, requireOwnWayIn } from './oidc/provider-rule.ts';
import type { LoginThrottle } from '../tokens/login-throttle.ts';
import { createStoredLimiter, hashKey } from '../tokens/stored-limiter.ts';
import { beginMemberSession } from './member-session.ts';
import * as statements from './members.sql.ts';
import { useFactor } from './second-factor.ts';

export interface SignInDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  /** Opens the secrets of authenticator apps. */
  secrets: SecretSeal;
  throttle: LoginThrottle;
  factorLimit: RateLimiterPostgres;
  /** Where members of one organization sign in instead; null: nowhere else. */
  oidc: OidcProvider | null;
}

/**
 * Creates the limits of wrong codes of one member, from all addresses together: three of a million codes are right at a time,
 * and whoever knows the password may try twenty an hour.
 */
export const createFactorLimits = (
  db: Db,
): { factorLimit: RateLimiterPostgres; activationLimit: RateLimiterPostgres } => ({
  factorLimit: createStoredLimiter(db, { keyPrefix: 'member-factor', points: 20, duration: 3600 }),
  activationLimit: createStoredLimiter(db, { keyPrefix: 'member-activation', points: 20, duration: 3600 }),
});

interface Login {
  email: Email;
  password: string;
  code: string | undefined;
  address: string;
  requestId: string;
  device: string;
  /** The cookie of the session that this browser had before. */
  session: string | null;
}

export type Outcome = { cookie: string } | 'code_required' | 'code_wrong';

/**
 * Begins a session under a new secret and returns its cookie. Throws the same 401 for an unknown address and a wrong password,
 * at the same cost; `code_required` where the password is right and a factor is set up. A member without a factor gets a
 * session in which nothing is open but choosing one.
 */
export async function signInMember(deps: SignInDeps, login: Login): Promise<string> {
  const { throttle, audit } = deps;
  await requireOwnWayIn(deps.db, deps.oidc);
  const account = `member:${login.email}`;
  const known = await maybeOne(deps.db, statements.findMemberByEmail(login.email));
  const { address, requestId } = login;
  const who = { account, address, requestId, memberId: known?.member_id };
  const outcome = await throttle.guard<Outcome>(who, async () => {
    const isRight = known
      ? await verifyPassword(known.password_hash, login.password)
      : await verifyDummyPassword(login.password);
    if (!known || !isRight) return null;
    return guardFactor(deps, { member: known, code: login.code }, () => attemptSignIn(deps, known, login));
  });
  if (typeof outcome === 'object' && outcome !== null) return outcome.cookie;
  if (outcome === 'code_required')
    throw new Refusal(401, 'code_required', {
      detail: 'Send the code of the authenticator app, or a recovery code.',
    });
  if (known) {
    // Not waited for: the time of its commit would show who is a member.
    const failed = audit.append({
      organizationId: known.organization_id,
      action: 'console.sign_in_failed',
      actor: { kind: 'member', id: known.member_id },
      outcome: 'refused',
      detail: { factor: outcome === null ? 'password' : 'code' },
    });
    failed.catch(() => {});
  }
  throw invalidCredentials();
}

export const invalidCredentials = (): Refusal =>
  new Refusal(401, 'invalid_credentials', { detail: 'The credentials are wrong.' });

/** Counts a code before it is tried, and gives it back when it was right. */
export async function guardFactor(
  { factorLimit }: Pick<SignInDeps, 'factorLimit'>,
  { member: { member_id: memberId }, code }: { member: statements.MemberRow; code: string | undefined },
  attempt: () => Promise<Outcome>,
): Promise<Outcome> {
  if (code === undefined) return attempt();
  await consumeOrThrow(factorLimit, hashKey(memberId), 'too_many_attempts');
  const outcome = await attempt();
  if (typeof outcome === 'object') await factorLimit.reward(hashKey(memberId));
  return outcome;
}

function attemptSignIn(
  { db, clock, audit, oidc, secrets }: SignInDeps,
  known: statements.MemberRow,
  { code, device, session }: Login,
): Promise<Outcome> {
  const { member_id: memberId, credential_id: credentialId, organization_id: organizationId } = known;
  return db.tx(async (tx): Promise<Outcome> => {
    const now = clock.now();
    // Changed or removed since the password was compared: a session of the old one must not outlive the change.
    const member = await maybeOne(tx, statements.lockCredential(memberId, credentialId));
    if (!member) return 'code_wrong';
    await requireOwnLogin(tx, oidc, member);
    const needsCode = member.has_factor;
    if (needsCode && code === undefined) return 'code_required';
    if (needsCode && !(await useFactor(tx, member, { code: code ?? '', now, secrets }))) return 'code_wrong';
    const cookie = await beginMemberSession(tx, { memberId, credentialId, device, now, previous: session });
    await audit.write(tx, {
      organizationId,
      action: 'console.signed_in',
      actor: { kind: 'member', id: memberId },
      detail: { factor: needsCode ? 'code' : 'none' },
    });
    return { cookie };
  });
}
