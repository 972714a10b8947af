import * as contract from '../../../../contract/account/email-change.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { describeDevice } from '../device.ts';
import { confirmChange, openChange, type ConfirmDeps } from './confirm-change.ts';
import { requestEmailChange, type RequestDeps } from './request-change.ts';

/** Another e-mail address for an account: asked for with its password, given by a link that was mailed there. */
export function registerEmailChangeRoutes(routes: Routes, deps: RequestDeps & ConfirmDeps): void {
  const { limits } = deps;
  const openGuarded = (address: string, token: string) =>
    limits.guardLink(address, () => openChange(deps, token));
  serve(routes, contract.requestEmailChange, ({ caller: session, address, requestId, body }) => {
    const { currentPassword: password, email, language } = body;
    return requestEmailChange(deps, { session, address, requestId, password, email, language });
  });
  serve(routes, contract.openEmailChange, async ({ address, body: { token } }) => {
    const { email, is_restoration: isRestoration } = await openGuarded(address, token);
    return { email, isRestoration };
  });
  serve(routes, contract.confirmEmailChange, async ({ address, body: { token }, browserContext }) => {
    const change = await openGuarded(address, token);
    return confirmChange(deps, { token, change, device: describeDevice(browserContext.userAgent) });
  });
}
