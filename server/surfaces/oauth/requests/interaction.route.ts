import * as contract from '../../../../contract/oauth/interaction.ts';
import type { AuthorizationRequestId } from '../../../../contract/brands.ts';
import type { PatientSession } from '../../../identity/accounts/session.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import type { BrowserContext } from '../../../platform/http/browser-context.ts';
import { decideInteraction, type DecideDeps } from './decide-interaction.ts';
import { buildInteraction, requireRequest } from './interaction.ts';

interface Deps extends DecideDeps {
  resolveSession(session: string | null): Promise<PatientSession | null>;
}

/** What the consent page talks to. */
export function registerInteractionRoutes(routes: Routes, deps: Deps): void {
  const loadRequestAndSession = (requestId: AuthorizationRequestId, { browser, session }: BrowserContext) =>
    Promise.all([requireRequest(deps, requestId, browser), deps.resolveSession(session)]);
  serve(routes, contract.getInteraction, async ({ params: { requestId }, browserContext }) => {
    const [request, session] = await loadRequestAndSession(requestId, browserContext);
    return buildInteraction(deps, request, session);
  });
  serve(routes, contract.decideInteraction, async ({ params: { requestId }, browserContext, body }) => {
    const [request, session] = await loadRequestAndSession(requestId, browserContext);
    return decideInteraction(deps, { request, session, body });
  });
}
