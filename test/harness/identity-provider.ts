import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Provider, type Configuration } from 'oidc-provider';
import { silenceConsole } from '../oauth/oracle.ts';
import { findFreePort } from './postgres.ts';

/** Who signs in there: what oidc-provider says of them. */
export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whoever signs in next. */
  person: ProviderPerson;
  /** A person sits down at the browser that comes next. */
  enter(person: ProviderPerson): void;
  /** Signs in there as a browser would; answers the query with which it is sent back. */
  signIn(url: string): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

const INTERACTION = '/interaction/';

/** oidc-provider in this process, as a clinic's identity provider: whoever comes is `person`, and is not asked anything. */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const [clientId, clientSecret] = ['chartgate', 'a secret that only the two know, long enough'];
  const people = new Map<string, ProviderPerson>();
  const provider = silenceConsole(
    () => new Provider(issuer, buildConfiguration({ clientId, clientSecret, redirectUri }, people)),
  );
  const serve = silenceConsole(() => provider.callback());
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith(INTERACTION)) void letIn(provider, started.person, { request, response });
    else void serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const started: IdentityProvider = {
    issuer,
    clientId,
    clientSecret,
    person: { sub: 'nobody' },
    enter(person) {
      started.person = person;
      people.set(person.sub, person);
    },
    async signIn(url) {
      started.enter(started.person);
      return followToClient(url, redirectUri);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return started;
}

function buildConfiguration(
  client: { clientId: string; clientSecret: string; redirectUri: string },
  people: ReadonlyMap<string, ProviderPerson>,
): Configuration {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  return {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [client.redirectUri],
        grant_types: ['authorization_code'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    jwks: { keys: [{ ...key, kty: 'EC', alg: 'ES256', use: 'sig' }] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({ ...people.get(accountId), sub: accountId }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `${INTERACTION}${uid}` },
    cookies: { keys: ['a key of a test'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 60, Session: 60, Grant: 60 },
  };
}

async function letIn(
  provider: Provider,
  { sub: accountId }: ProviderPerson,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) });
  grant.addOIDCScope(String(params['scope']));
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result);
}

/** Follows redirects with the cookies of a new browser, until one leads to the client. */
async function followToClient(url: string, redirectUri: string): Promise<Record<string, string>> {
  const cookies = new Map<string, string>();
  for (let next = url; ;) {
    const cookie = Array.from(cookies, (pair) => pair.join('=')).join('; ');
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${answer.status}: ${await answer.text()}`);
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    if (location.startsWith(redirectUri)) return Object.fromEntries(new URL(location).searchParams);
    next = new URL(location, next).href;
  }
}
