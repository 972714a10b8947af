import * as contract from '../../../../contract/oauth/interaction.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { decideInteraction, type DecideDeps } from './decide-interaction.ts';
import { addInteractionScreen, saveInteractionDraft } from './interaction-draft.ts';
import { buildInteraction, requireRequest } from './interaction.ts';

/** Registers the endpoints of the consent page. */
export function registerInteractionRoutes(routes: Routes, deps: DecideDeps): void {
  serve(routes, contract.getInteraction, async ({ params: { requestId }, caller, browserContext }) => {
    const request = await requireRequest(deps, requestId, browserContext.browser);
    return buildInteraction(deps, request, caller);
  });
  serve(
    routes,
    contract.decideInteraction,
    async ({ params: { requestId }, caller, browserContext, body }) => {
      const request = await requireRequest(deps, requestId, browserContext.browser);
      return decideInteraction(deps, { request, session: caller, body });
    },
  );
  serve(
    routes,
    contract.saveInteractionDraft,
    async ({ params: { requestId }, caller, browserContext, body }) => {
      const request = await requireRequest(deps, requestId, browserContext.browser);
      return saveInteractionDraft(deps, { request, session: caller, body });
    },
  );
  serve(
    routes,
    contract.addInteractionScreen,
    async ({ params: { requestId }, caller, browserContext, body }) => {
      const request = await requireRequest(deps, requestId, browserContext.browser);
      return addInteractionScreen(deps, { request, session: caller, body });
    },
  );
}
