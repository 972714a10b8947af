import * as contract from '../../../../contract/account/email-change.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { describeDevice } from '../device.ts';
import { hashSession } from '../session.ts';
import { cancelChange, confirmChange, openChange, type ConfirmDeps } from './confirm-change.ts';
import { requestEmailChange, type RequestDeps } from './request-change.ts';

/** Another e-mail address for an account: asked for with its password, given by a link that was mailed there, in a session of it. */
export function registerEmailChangeRoutes(routes: Routes, deps: RequestDeps & ConfirmDeps): void {
  const { limits } = deps;
  const openGuarded = (address: string, token: string) =>
    limits.guardLink(address, () => openChange(deps, token));
  serve(routes, contract.requestEmailChange, ({ caller: session, address, requestId, body }) => {
    const { currentPassword: password, email, language } = body;
    return requestEmailChange(deps, { session, address, requestId, password, email, language });
  });
  serve(routes, contract.openEmailChange, async ({ caller: session, address, body: { token } }) => {
    const change = await openGuarded(address, token);
    return {
      email: change.email,
      isRestoration: change.is_restoration,
      person: session?.person ?? null,
      isOwnAccount: session?.patientId === change.patient_id,
    };
  });

  serve(
    routes,
    contract.confirmEmailChange,
    async ({ caller: session, address, body: { token }, browserContext }) => {
      const change = await openGuarded(address, token);
      const device = describeDevice(browserContext.userAgent);
      const sessionHash = hashSession(browserContext.session);
      return confirmChange(deps, { token, change, session, sessionHash, device });
    },
  );

  serve(routes, contract.cancelEmailChange, async ({ address, body: { token } }) => {
    const change = await openGuarded(address, token);
    await cancelChange(deps, { token, change });
    return undefined;
  });
}
