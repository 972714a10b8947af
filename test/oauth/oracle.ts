import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { errors, Provider, type AdapterFactory, type Configuration } from 'oidc-provider';
import { findFreePort } from '../harness/postgres.ts';

export interface Oracle {
  url: string;
  /** Of a public client that is registered from the start. */
  clientId: string;
  stop(): Promise<void>;
}

const SCOPE = 'patient/*.read offline_access';
const INTERACTION = '/oauth/interaction/';

/**
 * oidc-provider in this process, as an authorization server like ours: who grants at `POST /oauth/interaction/{id}` is
 * one fixed account.
 */
export async function startOracle({ redirectUris }: { redirectUris: string[] }): Promise<Oracle> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const clientId = randomUUID();
  const listener = silenceConsole(() => authorizationServer({ url, clients: [{ clientId, redirectUris }] }));
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url,
    clientId,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Setup {
  /** The issuer; its MCP endpoint is the only resource. */
  url: string;
  /** The library's memory, unless there is one. */
  adapter?: AdapterFactory;
  clients?: { clientId: string; redirectUris: string[] }[];
}

/** An oidc-provider made as alike to our authorization server as its configuration allows; no request is rewritten but for `prompt`. */
export function authorizationServer({ url, adapter, clients = [] }: Setup): RequestListener {
  const provider = new Provider(url, {
    ...buildConfiguration(`${url}/mcp`),
    ...(adapter && { adapter }),
    clients: clients.map(({ clientId, redirectUris }) => ({
      client_id: clientId,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
    })),
    jwks: { keys: [createSigningKey()] },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: {
      url: (_ctx, { uid }) =>
        `${url}/consent/#/?oauth_state=${Buffer.from(JSON.stringify({ id: uid })).toString('base64url')}`,
    },
  });
  const serve = provider.callback();
  return (request, response) => {
    const path = request.url ?? '';
    if (path.startsWith(INTERACTION) && request.method === 'POST')
      return void grant({ provider, resource: `${url}/mcp` }, path.slice(INTERACTION.length), response);
    request.url = addConsentPrompt(path);
    return void serve(request, response);
  };
}

function buildConfiguration(resource: string): Configuration {
  return {
    scopes: SCOPE.split(' '),
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revocation',
      jwks: '/.well-known/jwks.json',
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    extraParams: { state: requireParameter('state'), scope: requireParameter('scope') },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      revocation: { enabled: true },
      registration: { enabled: true, idFactory: () => randomUUID(), issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, indicator) => {
          if (indicator !== resource) throw new errors.InvalidTarget();
          return {
            scope: SCOPE,
            audience: resource,
            accessTokenTTL: 3600,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
    // Every authorization is asked for anew.
    loadExistingGrant: async ({ oidc }) => {
      const id = oidc.result?.consent?.grantId;
      return id === undefined ? undefined : oidc.provider.Grant.find(id);
    },
    clientBasedCORS: () => true,
    renderError: (ctx, out) => {
      ctx.type = 'json';
      ctx.body = out;
    },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      Grant: 90 * 86_400,
      RefreshToken: 30 * 86_400,
      Interaction: 3600,
      Session: 86_400,
    },
  };
}

const requireParameter = (name: string) => (_ctx: unknown, value: string | undefined) => {
  if (!value) throw new errors.InvalidRequest(`${name} is missing`);
};

const createSigningKey = (): NonNullable<Configuration['jwks']>['keys'][number] => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kty: 'EC',
  alg: 'ES256',
  use: 'sig',
});

/** It gives refresh tokens only to who sends `prompt=consent`; ours ignores that parameter. */
function addConsentPrompt(path: string): string {
  if (!path.startsWith('/oauth/authorize?') || /[?&]prompt=/.test(path)) return path;
  return `${path}&prompt=consent`;
}

async function grant(
  { provider, resource }: { provider: Provider; resource: string },
  id: string,
  response: ServerResponse,
): Promise<void> {
  const interaction = await provider.Interaction.find(id);
  response.setHeader('content-type', 'application/json');
  if (!interaction) return void response.writeHead(404).end('{}');
  const accountId = 'patient';
  const granted = new provider.Grant({ accountId, clientId: String(interaction.params['client_id']) });
  const scope = String(interaction.params['scope']);
  granted.addOIDCScope(scope);
  granted.addResourceScope(resource, scope);
  interaction.result = { login: { accountId }, consent: { grantId: await granted.save() } };
  await interaction.persist();
  response.end(JSON.stringify({ status: 'ready' }));
}

/** The library warns of what a development setup lacks for production. */
export function silenceConsole<T>(work: () => T): T {
  const { info, warn } = console;
  Object.assign(console, { info() {}, warn() {} });
  try {
    return work();
  } finally {
    Object.assign(console, { info, warn });
  }
}

export interface OracleResponse {
  status: number;
  location: string | null;
  body: string;
}

export type AuthorizeClass =
  | { kind: 'page-error'; error?: string }
  | { kind: 'redirect-error'; error: string }
  | { kind: 'interaction' };
export type TokenClass = { kind: 'ok' } | { kind: 'error'; error: string };

/**
 * What an answer of the authorization endpoint amounts to: a page that leads nowhere, an error for the client, or a
 * question to the patient.
 */
export function classifyAuthorizeResponse({ status, location, body }: OracleResponse): AuthorizeClass {
  if (location === null) {
    // response_mode=form_post leads back by a form that sends itself.
    const [, posted] = /<input type="hidden" name="error" value="(\w+)"/.exec(body) ?? [];
    if (posted !== undefined) return { kind: 'redirect-error', error: posted };
    if (status < 400) throw new Error(`neither a redirect nor a refusal: ${status} ${body}`);
    const error = parseError(body);
    return { kind: 'page-error', ...(error !== undefined && { error }) };
  }
  if (/[?&]oauth_state=/.test(location)) return { kind: 'interaction' };
  const { searchParams, hash } = new URL(location);
  const error = searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error');
  if (error === null) throw new Error(`neither an error nor the consent page: ${location}`);
  return { kind: 'redirect-error', error };
}

export function classifyTokenResponse({ status, body }: Omit<OracleResponse, 'location'>): TokenClass {
  if (status === 200) return { kind: 'ok' };
  const error = parseError(body);
  if (error === undefined || status >= 500) throw new Error(`not an OAuth error: ${status} ${body}`);
  return { kind: 'error', error };
}

function parseError(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
