import * as contract from '../../../../contract/console/oidc.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { describeDevice } from '../../accounts/device.ts';
import type { AccountLimits } from '../../accounts/limits.ts';
import { resolveMemberSession } from '../member-session.ts';
import { beginOidc, completeOidc, type OidcDeps } from './complete-oidc.ts';
import type { OidcProvider } from './provider.ts';

interface Deps extends Omit<OidcDeps, 'oidc'> {
  oidc: OidcProvider | null;
  limits: Pick<AccountLimits, 'countChallenge'>;
}

/** Registers signing in at the organization's identity provider. */
export function registerOidcRoutes(routes: Routes, deps: Deps): void {
  const requireOidc = (): OidcDeps => {
    if (deps.oidc === null) throw notFound('An identity provider');
    return { ...deps, oidc: deps.oidc };
  };
  serve(routes, contract.beginOidcSignIn, async ({ browserContext: { browser }, address }) => {
    const configured = requireOidc();
    await deps.limits.countChallenge(address);
    return beginOidc(configured, { purpose: 'sign_in', browser, session: null });
  });
  serve(routes, contract.beginOidcConfirmation, ({ caller: session, browserContext: { browser } }) =>
    beginOidc(requireOidc(), { purpose: 'confirm', browser, session }),
  );
  serve(routes, contract.beginOidcJoin, ({ caller: session, browserContext: { browser } }) =>
    beginOidc(requireOidc(), { purpose: 'join', browser, session }),
  );
  serve(routes, contract.completeOidc, async ({ caller, body: { parameters }, browserContext, address }) => {
    const configured = requireOidc();
    await deps.limits.countChallenge(address);
    const { browser, session, userAgent } = browserContext;
    const device = describeDevice(userAgent);
    const { purpose, cookie } = await completeOidc(configured, {
      parameters,
      browser,
      caller,
      device,
      session,
    });
    if (cookie === null) return { purpose, setup: [] };
    browserContext.setSession(cookie);
    return { purpose, setup: [...((await resolveMemberSession(deps, cookie))?.setup ?? [])] };
  });
}
