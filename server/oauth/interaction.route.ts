import * as contract from '../../contract/interaction.ts';
import type { SignedIn } from '../accounts/session.ts';
import { serve, type Routes } from '../http/serve.ts';
import { decideInteraction, type DecideDeps } from './decide-interaction.ts';
import { interactionOf, requestOf } from './interaction.ts';

interface Deps extends DecideDeps {
  signedIn(session: string | null): Promise<SignedIn | null>;
}

/** What the consent page talks to. */
export function interactionRoutes(routes: Routes, deps: Deps): void {
  serve(routes, contract.getInteraction, async ({ params: { requestId }, visitor }) => {
    const request = await requestOf(deps, requestId, visitor.browser);
    return interactionOf(deps, request, await deps.signedIn(visitor.session));
  });
  serve(routes, contract.decideInteraction, async ({ params: { requestId }, visitor, body }) => {
    const request = await requestOf(deps, requestId, visitor.browser);
    return decideInteraction(deps, { request, signedIn: await deps.signedIn(visitor.session), body });
  });
}
