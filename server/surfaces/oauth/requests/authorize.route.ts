import type { FastifyRequest } from 'fastify';
import * as contract from '../../../../contract/oauth/oauth.ts';
import { moveToBaseUrl } from '../../../platform/http/base-url.ts';
import { normalizeClientAddress } from '../../../platform/http/client-address.ts';
import { serveRaw, type Routes } from '../../../platform/http/serve.ts';
import { decodeUri } from '../../../platform/kernel/decode-uri.ts';
import { beginAuthorization, type BeginDeps } from './begin-authorization.ts';
import { completeAuthorization, type CompleteDeps } from './complete-authorization.ts';
import type { RateLimit } from '../rate-limits.ts';
import { invalidRequest } from '../oauth-refusal.ts';
import { registerPageErrors } from './page-dialect.ts';

interface Deps extends BeginDeps, CompleteDeps {
  baseUrl: string;
  consentAppUrl: string;
  limit: RateLimit;
}

/** Registers the two endpoints that browsers visit: each redirects, or shows an error page without redirect. */
export function registerAuthorizeRoutes(routes: Routes, deps: Deps): void {
  const resolveNames = (request: FastifyRequest): { baseUrl: string; consentAppUrl: string } => {
    const baseUrl = routes.resolveBaseUrl(request);
    return { baseUrl, consentAppUrl: moveToBaseUrl(deps.consentAppUrl, { from: deps.baseUrl, to: baseUrl }) };
  };
  void routes.app.register(async (app) => {
    registerPageErrors(app);
    serveRaw({ ...routes, app }, contract.authorize, async ({ request, reply }) => {
      const address = normalizeClientAddress(request.ip);
      await deps.limit(address);
      const { browser } = routes.browserCookies.getContext(request, reply, 'account');
      const query = requireWellFormedQuery(request);
      // 303: whatever the method of this request, the next one is a GET without a body (RFC 9700 §4.12).
      const names = resolveNames(request);
      return reply.redirect(await beginAuthorization(deps, { query, browser, address, ...names }), 303);
    });
    serveRaw({ ...routes, app }, contract.completeAuthorization, async ({ request, reply, params }) => {
      const { browser } = routes.browserCookies.getContext(request, reply, 'account');
      return reply.redirect(
        await completeAuthorization(deps, { ...params, browser, baseUrl: routes.resolveBaseUrl(request) }),
        303,
      );
    });
  });
}

/** Refuses malformed encoding, which could not be returned to the client unchanged. */
function requireWellFormedQuery({ url, query }: FastifyRequest): Record<string, unknown> {
  if (decodeUri(url) === null) throw invalidRequest('The query contains a malformed percent-encoding.');
  return query as Record<string, unknown>;
}
