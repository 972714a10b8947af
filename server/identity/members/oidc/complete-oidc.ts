import { createHash } from 'node:crypto';
import type { MemberSession } from '../../../../contract/audience.ts';
import { maybeOne, type Tx } from '../../../platform/db/db.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { hashSecret } from '../../../platform/kernel/secret.ts';
import { lockOwn } from '../own-credentials.ts';
import { confirmMemberSession } from '../sessions.sql.ts';
import { findMappedRole } from './role-mapping.ts';
import * as statements from './oidc.sql.ts';
import { oidcFailed, type Claims, type OidcProvider } from './provider.ts';
import { readVerifiedEmail, signInByIdentity, type OidcSignInDeps } from './sign-in-by-identity.ts';

const LIFETIME_MS = 10 * 60_000;

export interface OidcDeps extends OidcSignInDeps {
  oidc: OidcProvider;
}

const hashBrowser = (browser: string): Buffer => createHash('sha256').update(browser).digest();

interface Beginning {
  purpose: statements.OidcRequestRow['purpose'];
  /** The secret that the browser alone holds. */
  browser: string;
  /** Who joins or confirms; null for signing in. */
  session: MemberSession | null;
}

/** Returns where the browser goes; what comes back counts in this browser and session, once, for ten minutes. */
export async function beginOidc(
  { db, clock, oidc }: OidcDeps,
  { purpose, browser, session }: Beginning,
): Promise<{ url: string }> {
  const { url, state, nonce, codeVerifier } = await oidc.begin({ isAgain: purpose === 'confirm' });
  await db.query(
    statements.insertOidcRequest({
      state_hash: hashSecret(state),
      browser_hash: hashBrowser(browser),
      purpose,
      session_id: session?.sessionId ?? null,
      nonce,
      code_verifier: codeVerifier,
      expires_at: new Date(clock.now().getTime() + LIFETIME_MS),
    }),
  );
  return { url };
}

export interface Completion {
  parameters: Readonly<Record<string, string>>;
  browser: string;
  /** Who is signed in in this browser. */
  caller: MemberSession | null;
  device: string;
  /** The cookie of the session that this browser had before. */
  session: string | null;
}

interface Completed {
  purpose: statements.OidcRequestRow['purpose'];
  /** Of the new session; null where none began. */
  cookie: string | null;
}

/** Ends what the browser began at the provider: a session, a proof of presence, or an identity of the member. */
export async function completeOidc(deps: OidcDeps, completion: Completion): Promise<Completed> {
  const { db, clock, oidc } = deps;
  const { parameters, browser, caller } = completion;
  const state = parameters['state'] ?? '';
  const request = await maybeOne(
    db,
    statements.deleteOidcRequest(hashSecret(state), hashBrowser(browser), clock.now()),
  );
  if (!request?.matches) throw oidcFailed('no request of this browser has this state');
  const { purpose, session_id: sessionId, nonce, code_verifier: codeVerifier } = request;
  const isAgain = purpose === 'confirm';
  const claims = await oidc.complete(parameters, { state, nonce, codeVerifier, isAgain });
  if (purpose === 'sign_in')
    return { purpose, cookie: await signInByIdentity(deps, oidc.config, { claims, ...completion }) };
  if (caller === null || caller.sessionId !== sessionId) throw oidcFailed('the session is another one');
  await db.tx((tx) => (isAgain ? confirm(tx, deps, { caller, claims }) : join(tx, deps, { caller, claims })));
  return { purpose, cookie: null };
}

interface OwnClaims {
  caller: MemberSession;
  claims: Claims;
}

async function confirm(tx: Tx, { clock, audit }: OidcDeps, { caller, claims }: OwnClaims): Promise<void> {
  const member = await lockOwn(tx, caller);
  const owner = await maybeOne(tx, statements.findIdentityOwner(toIdentity(claims)));
  if (owner?.member_id !== member.member_id) throw otherPerson();
  await tx.query(confirmMemberSession(caller.sessionId, clock.now()));
  await audit.write(tx, {
    organizationId: caller.organizationId,
    action: 'console.confirmed',
    actor: { kind: 'member', id: caller.subject },
    detail: { by: 'identity_provider' },
  });
}

/** Joins only by an address that the provider has verified, in a session that proved to be present. */
async function join(tx: Tx, { clock, audit, oidc }: OidcDeps, { caller, claims }: OwnClaims): Promise<void> {
  const member = await lockOwn(tx, caller);
  if (readVerifiedEmail(claims) !== member.email) throw otherPerson();
  if (findMappedRole(oidc.config.roles, claims) === null)
    throw new Refusal(403, 'no_role', { detail: 'None of your groups has a role here.' });
  const identity = toIdentity(claims);
  const taken = await maybeOne(tx, statements.findIdentityOwner(identity));
  if (taken && !taken.is_removed && taken.member_id !== member.member_id) throw identityTaken();
  await tx.query(statements.deleteMemberIdentity(member.member_id));
  if (!(await maybeOne(tx, statements.upsertIdentity(identity, member.member_id, clock.now()))))
    throw identityTaken();
  await audit.write(tx, {
    organizationId: caller.organizationId,
    action: 'console.identity_joined',
    actor: { kind: 'member', id: caller.subject },
  });
}

const toIdentity = ({ iss, sub }: Claims): statements.Identity => ({ issuer: iss, subject: sub });

const identityTaken = (): Refusal =>
  new Refusal(409, 'identity_taken', { detail: 'This login belongs to another member.' });

const otherPerson = (): Refusal =>
  new Refusal(401, 'oidc_other_person', {
    detail: 'Another person, or another e-mail address, is signed in at the identity provider.',
  });
