import { createHash, randomBytes } from 'node:crypto';
import { listIds, sendScreens, type Evidence, type SentScreens } from './evidence.ts';
import { call, newTestPatient, type HttpResponse, type TestPatient, type TestService } from './service.ts';
import { createTestBrowser, type TestBrowser } from './test-browser.ts';

type Service = Pick<TestService, 'baseUrl'>;

export const REDIRECT_URI = 'https://agent.example/callback';

/** A registered client; answers its registration. */
export async function registerClient(service: Service, metadata: object = {}): Promise<HttpResponse['body']> {
  const registered = await call(service, '/oauth/register', {
    json: {
      client_name: 'Test agent',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...metadata,
    },
  });
  if (registered.status !== 201) throw new Error(`not registered: ${JSON.stringify(registered.body)}`);
  return registered.body;
}

export interface Pkce {
  verifier: string;
  challenge: string;
}

/** As the specification documents it: 128 random bytes, so a verifier of 171 characters. */
export function createPkce(bytes = 128): Pkce {
  const verifier = randomBytes(bytes).toString('base64url');
  return { verifier, challenge: toCodeChallenge(verifier) };
}

export const toCodeChallenge = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** Parameters with a value; undefined leaves one out. */
export type QueryParameters = Readonly<Record<string, string | undefined>>;

export const encodeQuery = (parameters: QueryParameters): string =>
  new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString();

export interface Attempt {
  clientId: string;
  challenge: string;
}

/** All seven, good; `more` changes or removes some. */
export const buildAuthorizePath = ({ clientId, challenge }: Attempt, more: QueryParameters = {}): string =>
  `/oauth/authorize?${encodeQuery({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    scope: 'patient/*.read offline_access',
    state: 'the state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })}`;

/** The id of the request that a redirect to the consent page names. */
export function getRequestId({ headers }: HttpResponse): string {
  const state = /[?&]oauth_state=([\w-]+)/.exec(headers.get('location') ?? '')?.[1] ?? '';
  return (JSON.parse(Buffer.from(state, 'base64url').toString()) as { id: string }).id;
}

/** The parameters a browser was led back with. */
export const getRedirectParameters = ({ headers }: HttpResponse): Record<string, string> =>
  Object.fromEntries(new URL(headers.get('location') ?? 'none:').searchParams);

/** A browser with a test patient signed in. */
export async function createSignedInBrowser(
  service: TestService,
  patient: TestPatient,
): Promise<TestBrowser> {
  const browser = createTestBrowser(service);
  const { status } = await browser.post('/account/sign-in', {
    email: patient.email,
    password: patient.password,
  });
  if (status !== 200) throw new Error(`not signed in: ${status}`);
  return browser;
}

/**
 * As the page does it: pictures of the screens, then a yes that names them. `more` changes or adds something; with `screens`
 * nothing is sent before the decision.
 */
export async function decideRequest(
  browser: TestBrowser,
  requestId: string,
  decision: 'grant' | 'deny',
  more: { screenshots?: readonly Evidence[]; screens?: unknown } & Record<string, unknown> = {},
): Promise<HttpResponse> {
  const { screenshots, ...body } = more;
  const screens =
    decision === 'grant' && !('screens' in more)
      ? await sendRequestScreens(browser, requestId, {
          ...(screenshots !== undefined && { screenshots }),
          decision: body,
        })
      : [];
  return browser.post(`/oauth/interaction/${requestId}`, { decision, screens, ...body });
}

/** Sends the pictures of a request's screens; returns the ids of what was kept. */
export const sendRequestScreens = async (
  browser: TestBrowser,
  requestId: string,
  screens: SentScreens = {},
): Promise<string[]> =>
  listIds(await sendScreens(browser, `/oauth/interaction/${requestId}/screens`, screens));

export async function waitUntilReady(browser: TestBrowser, requestId: string): Promise<void> {
  for (;;) {
    const { body } = await browser.get(`/oauth/interaction/${requestId}`);
    if (body.status !== 'processing') return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const postForm = (service: Service, url: string, form: QueryParameters): Promise<HttpResponse> =>
  call(service, url, {
    body: encodeQuery(form),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

export interface Flow {
  patient: TestPatient;
  browser: TestBrowser;
  client: HttpResponse['body'];
  pkce: Pkce;
}

/** A test patient in a browser, and a client that was never seen before. */
export async function newFlow(service: TestService, metadata: object = {}): Promise<Flow> {
  const patient = await newTestPatient(service, { consent: false });
  const browser = await createSignedInBrowser(service, patient);
  return { patient, browser, client: await registerClient(service, metadata), pkce: createPkce() };
}

/** From authorize to the code, everything as it should be. */
export async function obtainCode(
  { browser, client, pkce }: Flow,
  more: QueryParameters = {},
): Promise<string> {
  const started = await browser.get(
    buildAuthorizePath({ clientId: client.client_id as string, challenge: pkce.challenge }, more),
  );
  const requestId = getRequestId(started);
  await decideRequest(browser, requestId, 'grant');
  await waitUntilReady(browser, requestId);
  const { code } = getRedirectParameters(await browser.get(`/oauth/complete/${requestId}`));
  if (code === undefined) throw new Error('no code');
  return code;
}

export const exchangeCode = (
  service: Service,
  flow: Flow,
  code: string,
  more: QueryParameters = {},
): Promise<HttpResponse> =>
  postForm(service, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    client_id: flow.client.client_id as string,
    code_verifier: flow.pkce.verifier,
    ...more,
  });

export const refresh = (
  service: Service,
  clientId: string,
  token: string,
  more: QueryParameters = {},
): Promise<HttpResponse> =>
  postForm(service, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: clientId,
    ...more,
  });

/** A whole flow: the token answer. */
export async function obtainTokens(
  service: TestService,
  flow: Flow,
  more: QueryParameters = {},
): Promise<HttpResponse['body']> {
  const { resource } = more;
  const answer = await exchangeCode(service, flow, await obtainCode(flow, more), { resource });
  if (answer.status !== 200) throw new Error(`no tokens: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export const callMcp = (
  service: Service,
  token: string,
  method = 'tools/list',
  path = '/mcp',
): Promise<HttpResponse> =>
  call(service, path, {
    token,
    json: {
      jsonrpc: '2.0',
      id: 1,
      method,
      ...(method === 'tools/call' && { params: { name: 'get_health_summary', arguments: {} } }),
    },
  });
