import { createHash } from 'node:crypto';
import type { MemberSession } from '../../../../contract/audience.ts';
import { maybeOne } from '../../../platform/db/db.ts';
import { hashSecret } from '../../../platform/kernel/secret.ts';
import { lockOrganization } from '../../organizations/organizations.sql.ts';
import { lockOwn } from '../own-credentials.ts';
import { confirmMemberSession } from '../sessions.sql.ts';
import { noRole, readPerson, type ProviderPerson } from './claims.ts';
import { joinIdentity, otherPerson } from './join-identity.ts';
import * as statements from './oidc.sql.ts';
import { oidcFailed, type OidcProvider } from './provider.ts';
import { findProviderOrganization, requireSameOrganization } from './provider-rule.ts';
import { refreshMember } from './refresh-member.ts';
import { signInByIdentity, type OidcSignInDeps } from './sign-in-by-identity.ts';

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
  if (session) requireSameOrganization(await findProviderOrganization(db, oidc.config), session);
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
  const answer = await oidc.complete(parameters, { state, nonce, codeVerifier, isAgain });
  const person = readPerson(oidc.config.roles, answer);
  const organizationId = await findProviderOrganization(db, oidc.config);
  if (purpose === 'sign_in')
    return { purpose, cookie: await signInByIdentity(deps, { organizationId, person, ...completion }) };
  if (caller === null || caller.sessionId !== sessionId) throw oidcFailed('the session is another one');
  requireSameOrganization(organizationId, caller);
  if (purpose === 'confirm') {
    await confirm(deps, { caller, person });
    return { purpose, cookie: null };
  }
  return { purpose, cookie: await joinIdentity(deps, { caller, person, device: completion.device }) };
}

interface Confirmation {
  caller: MemberSession;
  person: ProviderPerson;
}

/** Signing in there once more is as good as any sign-in: it decides the role, and whether they are let in at all. */
async function confirm(deps: OidcDeps, { caller, person }: Confirmation): Promise<void> {
  const { db, clock, audit } = deps;
  const { organizationId, sessionId: kept } = caller;
  const isLetIn = await db.tx(async (tx) => {
    await tx.query(lockOrganization(organizationId));
    const { member_id: memberId } = await lockOwn(tx, caller);
    const owner = await maybeOne(tx, statements.findIdentityOwner(person.identity, organizationId));
    if (owner?.member_id !== memberId) throw otherPerson();
    if (!(await refreshMember(tx, deps, { organizationId, memberId, person, kept }))) return false;
    await tx.query(confirmMemberSession(kept, clock.now()));
    await audit.write(tx, {
      organizationId,
      action: 'console.confirmed',
      actor: { kind: 'member', id: memberId },
      detail: { by: 'identity_provider' },
    });
    return true;
  });
  if (!isLetIn) throw noRole();
}
