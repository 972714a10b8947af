import * as contract from '../../../../contract/console/passkeys.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { maybeOne } from '../../../platform/db/db.ts';
import { describeDevice } from '../../accounts/device.ts';
import type { AccountLimits } from '../../accounts/limits.ts';
import { resolveMemberSession } from '../member-session.ts';
import { findMember } from '../members.sql.ts';
import { requireSessionNotJoined } from '../oidc/provider-rule.ts';
import type { SignInDeps } from '../sign-in.ts';
import {
  addMemberPasskey,
  beginMemberPasskey,
  removeMemberPasskey,
  type OwnPasskeyDeps,
} from './own-passkeys.ts';
import { findMemberPasskeys, type MemberPasskeyRow } from './passkeys.sql.ts';
import { signInByMemberPasskey } from './sign-in-by-passkey.ts';
import { beginPasskeyUse } from './use-passkey.ts';

type Deps = OwnPasskeyDeps & SignInDeps & { limits: Pick<AccountLimits, 'countChallenge'> };

/** Registers what members do with passkeys: sign in, confirm, add, list and remove. */
export function registerMemberPasskeyRoutes(routes: Routes, deps: Deps): void {
  serve(routes, contract.beginConsolePasskeySignIn, async ({ browserContext: { browser }, address }) => {
    await deps.limits.countChallenge(address);
    return { options: await beginPasskeyUse(deps, { browser, purpose: 'sign_in' }) };
  });
  serve(
    routes,
    contract.signInToConsoleByPasskey,
    async ({ browserContext, address, requestId, body: { response } }) => {
      const { browser, session, userAgent } = browserContext;
      const device = describeDevice(userAgent);
      const login = { response, browser, address, requestId, device, session };
      const cookie = await signInByMemberPasskey(deps, login);
      browserContext.setSession(cookie);
      return { setup: [...((await resolveMemberSession(deps, cookie))?.setup ?? [])] };
    },
  );
  serve(routes, contract.beginPasskeyConfirmation, async ({ caller, browserContext: { browser } }) => {
    await requireSessionNotJoined(deps.db, deps.oidc, caller);
    const purpose = { browser, purpose: 'confirm', sessionId: caller.sessionId } as const;
    return { options: await beginPasskeyUse(deps, purpose, caller.subject) };
  });
  serve(routes, contract.listConsolePasskeys, async ({ caller: { subject } }) => {
    const rows = await deps.db.query(findMemberPasskeys(subject));
    const member = await maybeOne(deps.db, findMember(subject));
    return {
      passkeys: rows.map(toPasskeyDto),
      possible: deps.party !== null,
      hasTotp: (member?.totp_secret ?? null) !== null,
    };
  });
  serve(routes, contract.beginConsolePasskey, async ({ caller: session, browserContext: { browser } }) => ({
    options: await beginMemberPasskey(deps, { session, browser }),
  }));
  serve(routes, contract.addConsolePasskey, ({ caller: session, browserContext: { browser }, body }) =>
    addMemberPasskey(deps, { session, browser }, body),
  );
  serve(routes, contract.removeConsolePasskey, async ({ caller, body: { id } }) => {
    await removeMemberPasskey(deps, caller, id);
    return undefined;
  });
}

const toPasskeyDto = ({ passkey_id, name, created_at, last_used_at }: MemberPasskeyRow) => ({
  id: passkey_id,
  name,
  createdAt: created_at.toISOString(),
  lastUsedAt: last_used_at?.toISOString() ?? null,
});
