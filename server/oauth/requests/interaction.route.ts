import * as contract from '../../../contract/interaction.ts';
import type { AuthorizationRequestId } from '../../../contract/ids.ts';
import type { SignedIn } from '../../accounts/session.ts';
import { serve, type Routes } from '../../http/serve.ts';
import type { Visitor } from '../../http/visitor.ts';
import { decideInteraction, type DecideDeps } from './decide-interaction.ts';
import { interactionOf, requestOf } from './interaction.ts';

interface Deps extends DecideDeps {
  signedIn(session: string | null): Promise<SignedIn | null>;
}

/** What the consent page talks to. */
export function interactionRoutes(routes: Routes, deps: Deps): void {
  const both = (requestId: AuthorizationRequestId, { browser, session }: Visitor) =>
    Promise.all([requestOf(deps, requestId, browser), deps.signedIn(session)]);
  serve(routes, contract.getInteraction, async ({ params: { requestId }, visitor }) => {
    const [request, signedIn] = await both(requestId, visitor);
    return interactionOf(deps, request, signedIn);
  });
  serve(routes, contract.decideInteraction, async ({ params: { requestId }, visitor, body }) => {
    const [request, signedIn] = await both(requestId, visitor);
    return decideInteraction(deps, { request, signedIn, body });
  });
}
