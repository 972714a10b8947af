import * as contract from '../../contract/account.ts';
import type { LoginThrottle } from '../auth/login-throttle.ts';
import { serve, type Routes } from '../http/serve.ts';
import type { Jobs } from '../jobs/worker.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../storage/db.ts';
import { accountLimits } from './limits.ts';
import { openLink } from './open-link.ts';
import { sendLink } from './send-link.ts';
import { endSession, signedIn } from './session.ts';
import { setPassword } from './set-password.ts';
import { signIn } from './sign-in.ts';

interface Deps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  throttle: LoginThrottle;
  consentAppUrl: string;
}

export function accountRoutes(routes: Routes, deps: Deps): void {
  const limits = accountLimits(deps.db);

  serve(routes, contract.getSession, async ({ visitor }) => ({
    csrfToken: visitor.csrfToken,
    person: (await signedIn(deps, visitor.session))?.person ?? null,
  }));
  serve(routes, contract.signIn, async ({ body, address, visitor }) => {
    const { person, session } = await signIn(deps, { ...body, address, session: visitor.session });
    visitor.setSession(session);
    return { person };
  });
  serve(routes, contract.signOut, async ({ visitor }) => {
    await endSession(deps.db, visitor.session);
    visitor.setSession(null);
    return undefined;
  });
  // One function for both: whether a person meant to make an account or has one is not told to whoever asks.
  for (const definition of [contract.signUp, contract.forgottenPassword]) {
    serve(routes, definition, ({ body, address }) => sendLink({ ...deps, limits }, { ...body, address }));
  }
  serve(routes, contract.openLink, ({ body, address }) =>
    limits.guardLink(address, () => openLink(deps, body.token)),
  );
  serve(routes, contract.setPassword, async ({ body, visitor }) => {
    const { session, ...answer } = await setPassword(deps, body, visitor.session);
    visitor.setSession(session);
    return answer;
  });
}
