import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import { createPng, buildScreenshot } from '../harness/evidence.ts';

/** An authorization server and a client that is registered there. */
export interface Target {
  url: string;
  clientId: string;
  redirectUri: string;
  /** Where the browser goes once the person decided; the id of the request follows. */
  completePath: string;
  /** An older version of ours takes the screen that a yes is said on with the decision, instead of each before it. */
  takesScreenWithDecision?: boolean;
}

export interface Person {
  email: string;
  password: string;
}

interface Request {
  /** Encoded already, or to be. */
  form?: Record<string, string> | string;
  json?: unknown;
  headers?: Record<string, string>;
}

export interface HttpResponse {
  status: number;
  location: string | null;
  body: string;
}

/** What keeps the cookies of one person's browser; the same few lines for every server, on the plain HTTP client of Node. */
export interface Browser {
  send(path: string, request?: Request): Promise<HttpResponse>;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

export function createBrowser(url: string, agent: () => http.Agent): Browser {
  const { hostname, port } = new URL(url);
  const cookies = new Map<string, Cookie>();
  return {
    async send(path, { form, json, headers = {} } = {}) {
      const body = form !== undefined ? new URLSearchParams(form).toString() : json && JSON.stringify(json);
      const sent = [...cookies.values()].filter((cookie) => path.startsWith(cookie.path));
      const { message, text } = await sendRequest(
        {
          hostname,
          port,
          path,
          agent: agent(),
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            ...(body !== undefined && { 'content-type': getContentType(form), origin: url }),
            ...(sent.length > 0 && { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') }),
            ...headers,
          },
        },
        body as string | undefined,
      );
      for (const line of message.headers['set-cookie'] ?? []) storeCookie(cookies, line);
      return { status: message.statusCode ?? 0, location: message.headers.location ?? null, body: text };
    },
  };
}

const getContentType = (form: unknown): string =>
  form !== undefined ? 'application/x-www-form-urlencoded' : 'application/json';

function sendRequest(
  options: http.RequestOptions,
  body: string | undefined,
): Promise<{ message: http.IncomingMessage; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(options, (message) => {
      let text = '';
      message.setEncoding('utf8');
      message.on('data', (part: string) => void (text += part));
      message.once('end', () => resolve({ message, text }));
      message.once('error', reject);
    });
    request.once('error', reject);
    request.end(body);
  });
}

function storeCookie(cookies: Map<string, Cookie>, line: string): void {
  const [pair = '', ...attributes] = line.split(/; */);
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
  const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? '/';
  const expires = attributes.find((text) => /^expires=/i.test(text))?.slice(8);
  const isExpired = value === '' || (expires !== undefined && Date.parse(expires) <= Date.now());
  if (isExpired) cookies.delete(`${name} ${path}`);
  else cookies.set(`${name} ${path}`, { name, value, path });
}

/** 700 bytes, so that what is compared is the protocol alone. */
const SMALL = createPng().toString('base64');

/** Somebody at a browser; on a server with accounts, signed in. */
export interface User {
  browser: Browser;
  /** Headers of what the consent page sends. */
  page: Record<string, string>;
  /** The screen that a yes is said on, base64; undefined where a server asks for none. */
  image?: string;
  email?: string;
}

export async function createUser(browser: Browser, person?: Person): Promise<User> {
  if (!person) return { browser, page: {} };
  const fetchCsrfHeaders = async () => ({
    'x-csrf-token': (parseResponse(await browser.send('/account/session')) as { csrfToken: string })
      .csrfToken,
  });
  parseResponse(await browser.send('/account/sign-in', { json: person, headers: await fetchCsrfHeaders() }));
  return { browser, page: await fetchCsrfHeaders(), image: SMALL, email: person.email };
}

export const newVerifier = (): string => randomBytes(32).toString('base64url');
export const toCodeChallenge = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** The seven parameters, as the official MCP client sends them. */
export const buildAuthorizeParameters = (target: Target, verifier: string): Record<string, string> => ({
  response_type: 'code',
  client_id: target.clientId,
  redirect_uri: target.redirectUri,
  scope: 'patient/*.read offline_access',
  state: 'af0ifjsldkj',
  code_challenge: toCodeChallenge(verifier),
  code_challenge_method: 'S256',
  prompt: 'consent',
});

/** The review with everything as it is preset by the service. */
const PICTURED = { shown: {} };

/** Milliseconds between two questions of the page whether the records are there. */
const POLL_MS = 10;

/** An authorization request that was begun in a browser. */
export interface BegunRequest {
  id: string;
  /** The pictures that its decision names. */
  screens: string[];
}

export async function beginRequest(
  { browser }: User,
  parameters: Record<string, string>,
): Promise<BegunRequest> {
  const response = await browser.send(`/oauth/authorize?${new URLSearchParams(parameters).toString()}`);
  const [, encoded] = /[?&]oauth_state=([\w-]+)/.exec(response.location ?? '') ?? [];
  if (encoded === undefined)
    throw new Error(`authorize: ${response.status} ${response.location} ${response.body}`);
  const { id } = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as { id: string };
  return { id, screens: [] };
}

/** The pictures of the screens that a yes is said on; none where a server asks for none, or takes them with the decision. */
export async function sendScreens(
  { browser, page, image, email }: User,
  { takesScreenWithDecision = false }: Target,
  request: BegunRequest,
): Promise<void> {
  if (image === undefined || takesScreenWithDecision) return;
  for (const screen of ['who-is-this', 'review']) {
    const json = { ...buildScreenshot(new Date(), { screen, data: image }), ...PICTURED, confirmedAs: email };
    const sent = await browser.send(`/oauth/interaction/${request.id}/screens`, { json, headers: page });
    request.screens.push((parseResponse(sent) as { id: string }).id);
  }
}

/** From the decision to the code. */
export async function decideRequest(
  { browser, page, image }: User,
  target: Target,
  { id, screens }: BegunRequest,
): Promise<{ code: string; polls: number }> {
  const interaction = `/oauth/interaction/${id}`;
  const json = {
    decision: 'grant',
    ...(image !== undefined &&
      (target.takesScreenWithDecision
        ? { screenshots: [buildScreenshot(new Date(), { data: image })] }
        : { screens })),
  };
  let { status } = parseResponse(await browser.send(interaction, { json, headers: page })) as {
    status: string;
  };
  let polls = 0;
  while (status === 'processing') {
    if (polls++ > 0) await new Promise((wake) => setTimeout(wake, POLL_MS));
    ({ status } = parseResponse(await browser.send(interaction)) as { status: string });
  }
  const done = await browser.send(target.completePath + id);
  const code = new URL(done.location ?? 'none:').searchParams.get('code');
  if (code === null) throw new Error(`complete: ${done.status} ${done.location} ${done.body}`);
  return { code, polls };
}

/** From the authorization request to the code. */
export async function obtainCode(
  user: User,
  target: Target,
  parameters: Record<string, string>,
): Promise<{ code: string; polls: number }> {
  const request = await beginRequest(user, parameters);
  await sendScreens(user, target, request);
  return decideRequest(user, target, request);
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

export async function exchangeCode(
  { browser }: User,
  target: Target,
  { code, verifier }: { code: string; verifier: string },
): Promise<Tokens> {
  const { clientId: client_id, redirectUri: redirect_uri } = target;
  return parseResponse(
    await browser.send('/oauth/token', {
      form: { grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier: verifier },
    }),
  ) as Tokens;
}

export async function refresh({ browser }: User, { clientId }: Target, token: string): Promise<string> {
  const { refresh_token } = parseResponse(
    await browser.send('/oauth/token', {
      form: { grant_type: 'refresh_token', client_id: clientId, refresh_token: token },
    }),
  ) as Tokens;
  if (!refresh_token || refresh_token === token) throw new Error('the refresh token was not rotated');
  return refresh_token;
}

export async function registerClient(browser: Browser, redirectUris: string[]): Promise<string> {
  const answer = await browser.send('/oauth/register', {
    json: {
      client_name: 'Client',
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  });
  return (parseResponse(answer) as { client_id: string }).client_id;
}

function parseResponse({ status, body }: HttpResponse): unknown {
  if (status !== 200 && status !== 201) throw new Error(`an answer of ${status}: ${body}`);
  return JSON.parse(body);
}
