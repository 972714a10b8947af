import formBody from '@fastify/formbody';
import * as contract from '../../../../contract/oauth/oauth.ts';
import type { App } from '../../../platform/http/app.ts';
import { normalizeClientAddress } from '../../../platform/http/client-address.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { exchangeCode } from './exchange-code.ts';
import type { RateLimit } from '../rate-limits.ts';
import { invalidRequest } from '../oauth-refusal.ts';
import { registerOAuthErrors } from '../oauth-dialect.ts';
import { revokeToken } from './revoke-token.ts';
import { rotateRefreshToken } from './rotate-refresh-token.ts';
import type { TokenEndpointDeps } from './token-endpoint.ts';

const PARAMETERS = [
  ...Object.keys(contract.TokenRequest.shape),
  ...Object.keys(contract.RevocationRequest.shape),
];

interface Deps extends Omit<TokenEndpointDeps, 'issuer'> {
  limit: RateLimit;
}

/** Registers the token and the revocation endpoint, which take forms and answer with JSON. */
export function registerTokenRoutes(routes: Routes, deps: Deps): void {
  void routes.app.register(async (app) => {
    app.removeAllContentTypeParsers();
    await app.register(formBody);
    registerOAuthErrors(app);
    forbidKeeping(app);
    app.addHook('onRequest', ({ ip }) => deps.limit(normalizeClientAddress(ip)));
    refuseAuthentication(app);
    refuseUnsupportedGrantType(app);
    serve({ ...routes, app }, contract.createToken, ({ body, baseUrl: issuer }) =>
      body.grant_type === 'refresh_token'
        ? rotateRefreshToken({ ...deps, issuer }, body)
        : exchangeCode({ ...deps, issuer }, body),
    );
    serve({ ...routes, app }, contract.revokeToken, async ({ body }) => {
      await revokeToken(deps, body);
      return { success: true as const };
    });
  });
}

/** RFC 6749 §5.1: beside the `Cache-Control: no-store` that every answer has, the word for caches of HTTP/1.0. */
function forbidKeeping(app: App): void {
  app.addHook('onSend', async (_request, reply) => {
    reply.header('pragma', 'no-cache');
  });
}

/** Refuses clients that authenticate, in the scheme that they used (RFC 6749 §5.2): every client here is public. */
function refuseAuthentication(app: App): void {
  app.addHook('onRequest', async ({ headers }) => {
    if (/^basic /i.test(headers.authorization ?? '')) {
      throw new Refusal(401, 'invalid_client', {
        detail: 'Clients of this server are public: send client_id in the body and no Authorization header.',
        headers: { 'www-authenticate': 'Basic realm="chartgate"' },
      });
    }
  });
  app.addHook('preValidation', async (request) => {
    if (typeof request.body !== 'object' || request.body === null)
      throw invalidRequest('The body must be application/x-www-form-urlencoded.');
    const repeated = PARAMETERS.find((name) =>
      Array.isArray((request.body as Record<string, unknown>)[name]),
    );
    if (repeated !== undefined) throw invalidRequest(`${repeated} is given more than once.`);
    // RFC 6749 §3.2: a parameter without a value counts as omitted.
    request.body = Object.fromEntries(Object.entries(request.body).filter(([, value]) => value !== ''));
  });
}

const GRANT_TYPES: readonly unknown[] = ['authorization_code', 'refresh_token'];

/** Before any other parameter is looked for, since each grant type has its own (RFC 6749 §5.2). */
function refuseUnsupportedGrantType(app: App): void {
  app.addHook('preValidation', async ({ routeOptions, body }) => {
    const { grant_type: type } = body as { grant_type?: unknown };
    if (routeOptions.url !== contract.createToken.path || type === undefined || GRANT_TYPES.includes(type))
      return;
    throw new Refusal(400, 'unsupported_grant_type', {
      detail: 'grant_type must be authorization_code or refresh_token.',
    });
  });
}
