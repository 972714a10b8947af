import * as contract from '../../../../contract/account/passkeys.ts';
import type { LoginThrottle } from '../../tokens/login-throttle.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { describeDevice } from '../device.ts';
import type { AccountLimits } from '../limits.ts';
import { hashSession } from '../session.ts';
import { addPasskey, beginPasskey, type PasskeyDeps } from './add-passkey.ts';
import * as statements from './passkeys.sql.ts';
import { removePasskey } from './remove-passkeys.ts';
import { createRelyingParty } from './relying-party.ts';
import { beginPasskeySignIn, signInByPasskey } from './sign-in-by-passkey.ts';

interface Deps extends Omit<PasskeyDeps, 'party'> {
  throttle: LoginThrottle;
  baseUrl: string;
  consentAppUrl: string;
  limits: AccountLimits;
}

export function registerPasskeyRoutes(routes: Routes, routeDeps: Deps): void {
  const deps = { ...routeDeps, party: createRelyingParty(routeDeps) };
  const { limits } = deps;

  serve(routes, contract.listPasskeys, async ({ caller }) => {
    const rows = await deps.db.query(statements.findPasskeys(caller.patientId));
    return { passkeys: rows.map(toPasskeyDto), possible: deps.party !== null };
  });
  serve(routes, contract.beginPasskey, async ({ caller: session, browserContext: { browser } }) => ({
    options: await beginPasskey(deps, { session, browser }),
  }));
  serve(routes, contract.addPasskey, async ({ caller: session, browserContext, body }) => {
    const { browser, userAgent } = browserContext;
    const added = {
      ...body,
      sessionHash: hashSession(browserContext.session),
      device: describeDevice(userAgent),
    };
    return { id: await addPasskey(deps, { session, browser }, added) };
  });
  serve(routes, contract.removePasskey, async ({ caller: { patientId }, browserContext, body: { id } }) => {
    const removal = { patientId, device: describeDevice(browserContext.userAgent), now: deps.clock.now() };
    const sessionHash = hashSession(browserContext.session);
    await deps.db.tx((tx) => removePasskey(tx, removal, { passkeyId: id, sessionHash }));
    return undefined;
  });
  serve(routes, contract.beginPasskeySignIn, async ({ browserContext, address }) => {
    await limits.countChallenge(address);
    return { options: await beginPasskeySignIn(deps, browserContext.browser) };
  });
  serve(
    routes,
    contract.signInByPasskey,
    async ({ browserContext, address, requestId, body: { response } }) => {
      const { browser } = browserContext;
      const { person, session } = await signInByPasskey(deps, {
        response,
        browser,
        address,
        requestId,
        session: browserContext.session,
        device: describeDevice(browserContext.userAgent),
      });
      browserContext.setSession(session);
      return { person };
    },
  );
}

const toPasskeyDto = ({ passkey_id, name, created_at, last_used_at }: statements.PasskeyRow) => ({
  id: passkey_id,
  name,
  createdAt: created_at.toISOString(),
  lastUsedAt: last_used_at?.toISOString() ?? null,
});
