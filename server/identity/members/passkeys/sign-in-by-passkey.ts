import { maybeOne } from '../../../platform/db/db.ts';
import { Assertion } from '../../accounts/passkeys/authenticator-response.ts';
import { beginMemberSession } from '../member-session.ts';
import { lockCredential } from '../members.sql.ts';
import { requireOwnLogin, requireOwnWayIn } from '../oidc/provider-rule.ts';
import { invalidCredentials, type SignInDeps } from '../sign-in.ts';
import type { MemberPasskey } from './passkeys.sql.ts';
import { keepPasskeyUse, verifyPasskeyUse, type PasskeyUseDeps, type UsedPasskey } from './use-passkey.ts';

type Deps = PasskeyUseDeps & SignInDeps;

interface PasskeyLogin {
  response: unknown;
  /** The secret that the browser alone holds. */
  browser: string;
  address: string;
  requestId: string;
  device: string;
  /** The cookie of the session that this browser had before. */
  session: string | null;
}

/** Begins a session by a passkey alone and returns its cookie; throws the same refusal whatever was wrong. */
export async function signInByMemberPasskey(deps: Deps, login: PasskeyLogin): Promise<string> {
  await requireOwnWayIn(deps.db, deps.oidc);
  const { data: assertion } = Assertion.safeParse(login.response);
  const account = `passkey:${assertion?.id ?? ''}`;
  const { address, requestId } = login;
  const cookie = await deps.throttle.guardSecret({ account, address, requestId }, async (isCounted) => {
    if (!assertion) return null;
    const purpose = { browser: login.browser, purpose: 'sign_in' } as const;
    const used = await verifyPasskeyUse(deps, purpose, assertion);
    if (!used) return null;
    const { passkey, counter } = used;
    const begun = counter === null ? null : await beginSession(deps, login, { passkey, counter });
    if (begun === null && isCounted) noteFailure(deps, passkey);
    return begun;
  });
  if (cookie === null) throw invalidCredentials();
  return cookie;
}

function beginSession(
  { db, clock, audit, oidc }: Deps,
  { device, session }: PasskeyLogin,
  used: UsedPasskey,
): Promise<string | null> {
  const {
    member_id: memberId,
    member_credential_id: credentialId,
    organization_id: organizationId,
  } = used.passkey;
  return db.tx(async (tx) => {
    const now = clock.now();
    // Changed or removed since the passkey was looked up: the session would be none.
    const member = await maybeOne(tx, lockCredential(memberId, credentialId));
    if (!member || !(await keepPasskeyUse(tx, used, now))) return null;
    await requireOwnLogin(tx, oidc, member);
    await audit.write(tx, {
      organizationId,
      action: 'console.signed_in',
      actor: { kind: 'member', id: memberId },
      detail: { factor: 'passkey', passkeyId: used.passkey.passkey_id },
    });
    return beginMemberSession(tx, { memberId, credentialId, device, now, previous: session });
  });
}

/** Not waited for: the time of its commit would show whose passkey is known. */
function noteFailure(
  { audit }: Deps,
  { member_id: id, organization_id: organizationId }: MemberPasskey,
): void {
  const failed = audit.append({
    organizationId,
    action: 'console.sign_in_failed',
    actor: { kind: 'member', id },
    outcome: 'refused',
    detail: { factor: 'passkey' },
  });
  failed.catch(() => {});
}
