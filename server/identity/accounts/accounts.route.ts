import * as contract from '../../../contract/account/account.ts';
import type { CreateRecords } from '../patients/create-patients.ts';
import { findBrandOfProject } from '../organizations/brand.ts';
import { updatePageLanguage } from '../patients/patients.sql.ts';
import { findOnlyOrganization } from '../patients/only-organization.ts';
import type { LoginThrottle } from '../tokens/login-throttle.ts';
import type { PasswordLine } from '../tokens/password-line.ts';
import { moveToBaseUrl } from '../../platform/http/base-url.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import type { AccountLimits } from './limits.ts';
import { openLink, sendLink } from './account-link.ts';
import { describeDevice } from './device.ts';
import { registerSessionRoutes } from './sessions.route.ts';
import { createPasswordRule } from './password-rule.ts';
import { endSession } from './session.ts';
import { setPassword } from './set-password.ts';
import { signIn } from './sign-in.ts';

interface Deps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  throttle: LoginThrottle;
  passwords: PasswordLine;
  baseUrl: string;
  consentAppUrl: string;
  createRecords: CreateRecords;
  limits: AccountLimits;
}

export function registerAccountRoutes(routes: Routes, deps: Deps): void {
  const { limits } = deps;
  const passwordRule = createPasswordRule();

  registerSessionRoutes(routes, { ...deps, passwordRule });
  serve(routes, contract.getSession, async ({ caller, baseUrl, browserContext }) => ({
    csrfToken: browserContext.csrfToken,
    person: caller?.person ?? null,
    organization: caller && (await findOnlyOrganization(deps.db, caller.patientId)),
    pageUrl: moveToBaseUrl(deps.consentAppUrl, { from: deps.baseUrl, to: baseUrl }),
  }));
  serve(routes, contract.signIn, async ({ body, address, requestId, browserContext }) => {
    const { person, session } = await signIn(deps, {
      ...body,
      address,
      requestId,
      session: browserContext.session,
      device: describeDevice(browserContext.userAgent),
    });
    browserContext.setSession(session);
    return { person };
  });
  serve(routes, contract.signOut, async ({ browserContext }) => {
    await endSession(deps.db, browserContext.session);
    browserContext.setSession(null);
    return undefined;
  });
  // One function serves both, so that the response does not reveal whether the address has an account.
  for (const definition of [contract.signUp, contract.forgottenPassword]) {
    serve(routes, definition, ({ body, address }) => sendLink(deps, { ...body, address }));
  }
  const openGuarded = (address: string) => (token: string) =>
    limits.guardLink(address, () => openLink(deps, token));
  serve(routes, contract.openAccountLink, async ({ body, address }) => {
    const { language: _, ...link } = await openGuarded(address)(body.token);
    const { projectId } = link;
    return { ...link, organization: projectId && (await findBrandOfProject(deps.db, projectId)) };
  });
  serve(routes, contract.setPassword, async ({ body, address, browserContext }) => {
    const setPasswordDeps = { ...deps, passwordRule, openLink: openGuarded(address) };
    const { session, ...result } = await setPassword(setPasswordDeps, body, {
      session: browserContext.session,
      device: describeDevice(browserContext.userAgent),
    });
    browserContext.setSession(session);
    return result;
  });
  serve(routes, contract.updateMyLanguage, async ({ caller: { patientId }, body }) => {
    await deps.db.query(updatePageLanguage(patientId, body.language));
    return undefined;
  });
}
