import type { MemberSession } from '../../../contract/audience.ts';
import { maybeOne, type Tx } from '../../platform/db/db.ts';
import { verifyPassword } from '../../platform/kernel/password.ts';
import { KnownAssertion } from '../accounts/passkeys/authenticator-response.ts';
import type { Who } from '../tokens/login-throttle.ts';
import * as statements from './members.sql.ts';
import { requireSessionNotJoined } from './oidc/provider-rule.ts';
import {
  keepPasskeyUse,
  verifyPasskeyUse,
  type PasskeyUseDeps,
  type UsedPasskey,
} from './passkeys/use-passkey.ts';
import { useFactor } from './second-factor.ts';
import { confirmMemberSession } from './sessions.sql.ts';
import { guardFactor, invalidCredentials, type Outcome, type SignInDeps } from './sign-in.ts';

type Deps = SignInDeps & PasskeyUseDeps;

interface Confirmation {
  session: MemberSession;
  /** The secret that the browser alone holds. */
  browser: string;
  address: string;
  requestId: string;
  /** One of the three. */
  proof: { password?: string | undefined; code?: string | undefined; passkey?: unknown };
}

/**
 * Keeps that a member who is signed in is present: by their password, a code or a passkey, throttled together with signing
 * in. Whom the identity provider lets in proves it there.
 */
export async function confirmPresence(deps: Deps, confirmation: Confirmation): Promise<void> {
  const { session, proof } = confirmation;
  await requireSessionNotJoined(deps.db, deps.oidc, session);
  const isConfirmed =
    proof.passkey === undefined
      ? await confirmByTyping(deps, confirmation)
      : await deps.throttle.guardSecret(identify(confirmation), () => confirmByPasskey(deps, confirmation));
  if (isConfirmed !== true) throw invalidCredentials();
}

const identify = ({ session, address, requestId }: Confirmation): Who => ({
  account: `member:${session.email}`,
  address,
  requestId,
  memberId: session.subject,
});

async function confirmByTyping(deps: Deps, confirmation: Confirmation): Promise<boolean> {
  const {
    session,
    proof: { password, code },
  } = confirmation;
  const outcome = await deps.throttle.guard<Outcome>(identify(confirmation), async () => {
    const member = await maybeOne(deps.db, statements.findMember(session.subject));
    if (!member) return null;
    if (password !== undefined && !(await verifyPassword(member.password_hash, password))) return null;
    return guardFactor(deps, { member, code }, () =>
      deps.db.tx(async (tx): Promise<Outcome> => {
        const isKept = await keepConfirmation(tx, deps, { session, code });
        return isKept ? { cookie: '' } : 'code_wrong';
      }),
    );
  });
  return typeof outcome === 'object' && outcome !== null;
}

async function confirmByPasskey(deps: Deps, { session, browser, proof }: Confirmation): Promise<true | null> {
  const { data: assertion } = KnownAssertion.safeParse(proof.passkey);
  if (!assertion) return null;
  const purpose = { browser, purpose: 'confirm', sessionId: session.sessionId } as const;
  const used = await verifyPasskeyUse(deps, purpose, assertion);
  if (!used || used.counter === null || used.passkey.member_id !== session.subject) return null;
  const { passkey, counter } = used;
  const isKept = await deps.db.tx((tx) =>
    keepConfirmation(tx, deps, { session, code: undefined, used: { passkey, counter } }),
  );
  return isKept || null;
}

interface KeptProof {
  session: MemberSession;
  code: string | undefined;
  used?: UsedPasskey;
}

/** Uses up the code or the passkey's counter; false for a wrong one, or a session whose member has changed. */
async function keepConfirmation(
  tx: Tx,
  { clock, audit, secrets }: Deps,
  { session, code, used }: KeptProof,
): Promise<boolean> {
  const now = clock.now();
  const member = await maybeOne(tx, statements.lockCredential(session.subject, session.credentialId));
  if (!member || (code !== undefined && !(await useFactor(tx, member, { code, now, secrets })))) return false;
  if (used && !(await keepPasskeyUse(tx, used, now))) return false;
  await tx.query(confirmMemberSession(session.sessionId, now));
  await audit.write(tx, {
    organizationId: session.organizationId,
    action: 'console.confirmed',
    actor: { kind: 'member', id: session.subject },
    detail: { by: used ? 'passkey' : code === undefined ? 'password' : 'code' },
  });
  return true;
}
