import type { FastifyRequest } from 'fastify';
import * as contract from '../../../contract/oauth.ts';
import { clientAddress } from '../../http/client-address.ts';
import { guard, type Routes } from '../../http/serve.ts';
import { beginAuthorization, type BeginDeps } from './begin-authorization.ts';
import { completeAuthorization, type CompleteDeps } from './complete-authorization.ts';
import type { Limit } from '../limits.ts';
import { invalidRequest } from '../oauth-refusal.ts';
import { sayInPage } from './page-dialect.ts';

interface Deps extends BeginDeps, CompleteDeps {
  limit: Limit;
}

/** The two addresses that a browser is led to: each leads it on, or shows a page that leads nowhere. */
export function authorizeRoutes(routes: Routes, deps: Deps): void {
  void routes.app.register(async (app) => {
    sayInPage(app);
    guard({ ...routes, app }, contract.authorize, async ({ request, reply }) => {
      const address = clientAddress(request.ip);
      await deps.limit(address);
      const { browser } = routes.visitors.of(request, reply);
      const query = wellFormedQuery(request);
      // 303: whatever led here, the next request is a GET without a body (RFC 9700 §4.12).
      return reply.redirect(await beginAuthorization(deps, { query, browser, address }), 303);
    });
    guard({ ...routes, app }, contract.completeAuthorization, async ({ request, reply, params }) => {
      const { browser } = routes.visitors.of(request, reply);
      return reply.redirect(await completeAuthorization(deps, { ...params, browser }), 303);
    });
  });
}

/** What is not encoded as it should be could not be led back unchanged. */
function wellFormedQuery({ url, query }: FastifyRequest): Record<string, unknown> {
  try {
    decodeURIComponent(url);
  } catch {
    throw invalidRequest('The query holds a malformed percent sequence.');
  }
  return query as Record<string, unknown>;
}
