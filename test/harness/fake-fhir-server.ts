import type { IncomingMessage, ServerResponse } from 'node:http';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { createOutboundClient, type OutboundClient } from '../../server/platform/outbound/outbound-client.ts';
import { certificate, startTlsServer } from './tls/server.ts';

/** A FHIR R4 server of somebody else's, on loopback under a name, as well or as badly behaved as a test wants it. */
export interface FakeFhirServer {
  /** `https://ehr.agent.example:PORT/fhir`, for requests through `outbound`. */
  base: string;
  outboundClient: OutboundClient;
  /** How long a server is waited for that is known not to answer: a limit for all would end what does, on a busy machine. */
  findPatience: (url: string) => number | null;
  /** Patients and all else, as the texts that are sent. */
  resources: string[];
  /** What it can do, and how it does it. */
  options: FhirServerOptions;
  /** Method, path and query of each request, in their order. */
  requests: string[];
  /** Answers in the server's place; false: it answers itself. */
  intercept: (request: FhirRequest, response: ServerResponse) => boolean;
  stop(): Promise<void>;
}

export interface FhirServerOptions {
  everything: boolean;
  match: boolean;
  /** Of the types it lets be searched by patient; null: every type it holds. */
  types: string[] | null;
  /** Entries on a page. */
  pageSize: number;
  /** Demanded of each request but discovery and metadata. */
  bearer: string | null;
  /** SMART Backend Services: who may have a token. */
  smart: { clientId: string; keys: () => Promise<JSONWebKeySet>; algs: string[] | null; now(): Date } | null;
  /** What its discovery says besides. */
  discovery: object;
}

export interface FhirRequest {
  method: string;
  /** Below the base, with a leading slash. */
  path: string;
  query: URLSearchParams;
  body: string;
}

type Resource = { resourceType: string; id: string; [name: string]: unknown };

const HOST = 'ehr.agent.example';

export async function startFakeFhirServer(options: Partial<FhirServerOptions> = {}): Promise<FakeFhirServer> {
  const outbound = createOutboundClient({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    permits: (address) => address === '127.0.0.1',
    ca: certificate,
  });
  const server: FakeFhirServer = {
    base: '',
    outboundClient: {
      request: (request) =>
        outbound.request({ ...request, timeoutMs: server.findPatience(request.url) ?? request.timeoutMs }),
    },
    findPatience: () => null,
    resources: [],
    options: {
      everything: true,
      match: false,
      types: null,
      pageSize: 50,
      bearer: null,
      smart: null,
      discovery: {},
      ...options,
    },
    requests: [],
    intercept: () => false,
    stop: () => listener.stop(),
  };
  const listener = await startTlsServer((request, response) => void handle(server, request, response));
  server.base = `https://${HOST}:${listener.port}/fhir`;
  return server;
}

async function handle(
  server: FakeFhirServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '', server.base);
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
  const path = url.pathname.replace(/^\/fhir/, '');
  const fhirRequest = { method: request.method ?? '', path, query: url.searchParams, body };
  server.requests.push(`${fhirRequest.method} ${path}${decodeURIComponent(url.search)}`);
  if (server.intercept(fhirRequest, response)) return;
  const isPublic = ['/.well-known/smart-configuration', '/metadata', '/token'].includes(path);
  if (!isPublic && !isAuthorized(server, request.headers.authorization)) return sendOutcome(response, 401);
  await respond(server, fhirRequest, response);
}

const isAuthorized = ({ options }: FakeFhirServer, authorization: string | undefined): boolean =>
  (options.bearer === null && options.smart === null) ||
  authorization === `Bearer ${options.bearer ?? 'a-token'}`;

async function respond(
  server: FakeFhirServer,
  fhirRequest: FhirRequest,
  response: ServerResponse,
): Promise<void> {
  const { options } = server;
  const [, type = '', id = '', operation] = fhirRequest.path.split('/');
  if (fhirRequest.path === '/.well-known/smart-configuration')
    return options.smart ? send(response, buildDiscovery(server)) : sendOutcome(response, 404);
  if (fhirRequest.path === '/token') return issueToken(server, fhirRequest.body, response);
  if (fhirRequest.path === '/metadata') return send(response, buildCapabilityStatement(server));
  if (fhirRequest.query.has('_getpages')) return sendPage(server, fhirRequest.query, response);
  if (operation === '$everything') {
    if (!options.everything) return sendOutcome(response, 404);
    return sendList(server, listCompartment(server, id), { fhirRequest, response });
  }
  if (id === '$match')
    return options.match
      ? send(response, buildBundle(findMatches(server, fhirRequest.body)))
      : sendOutcome(response, 404);
  if (id !== '') {
    const found = server.resources.find((text) => getReference(text) === `${type}/${id}`);
    return found === undefined ? sendOutcome(response, 404) : send(response, tagAsTest(found));
  }
  sendList(server, searchResources(server, type, fhirRequest.query), { fhirRequest, response });
}

const parseResource = (text: string): Resource => JSON.parse(text) as Resource;

const getReference = (text: string): string => {
  const { resourceType, id } = parseResource(text);
  return `${resourceType}/${id}`;
};

const getOwner = (resource: Resource): string =>
  ((resource['subject'] ?? resource['patient']) as { reference?: string } | undefined)?.reference ?? '';

const listCompartment = ({ resources }: FakeFhirServer, id: string): string[] =>
  resources.filter(
    (text) => getReference(text) === `Patient/${id}` || getOwner(parseResource(text)) === `Patient/${id}`,
  );

function searchResources({ resources }: FakeFhirServer, type: string, query: URLSearchParams): string[] {
  const ofType = resources.filter((text) => parseResource(text).resourceType === type);
  const ids = query.get('_id')?.split(',');
  if (ids) return ofType.filter((text) => ids.includes(parseResource(text).id));
  const patient = query.get('patient') ?? query.get('subject');
  if (patient !== null) return ofType.filter((text) => getOwner(parseResource(text)) === patient);
  const identifier = query.get('identifier');
  if (identifier !== null)
    return ofType.filter((text) => text.includes(`"${identifier.split('|')[1] ?? ''}"`));
  return ofType.filter((text) =>
    text.toLowerCase().includes(`"${(query.get('family') ?? '').toLowerCase()}"`),
  );
}

/** By family name alone, each called certain: whoever asks must look for themselves. */
function findMatches({ resources }: FakeFhirServer, body: string): string[] {
  const { parameter } = JSON.parse(body) as { parameter: { resource?: { name: { family: string }[] } }[] };
  const family = parameter.find(({ resource }) => resource)?.resource?.name[0]?.family ?? '';
  return resources.filter((text) => text.includes(`"Patient"`) && text.includes(`"${family}"`));
}

function sendList(
  server: FakeFhirServer,
  texts: string[],
  { fhirRequest: { path, query }, response }: { fhirRequest: FhirRequest; response: ServerResponse },
): void {
  const since = query.get('_since') ?? query.get('_lastUpdated')?.replace(/^ge/, '') ?? '';
  const newer = texts.filter((text) => {
    const { meta } = parseResource(text) as { meta?: { lastUpdated?: string } };
    return since === '' || Date.parse(meta?.lastUpdated ?? '2000-01-01') >= Date.parse(since);
  });
  const next = new URLSearchParams({ _getpages: `${path}?${query.toString()}`, from: '0' });
  storedPages.set(next.get('_getpages') ?? '', newer);
  sendPage(server, next, response);
}

/** Of every server alike: the keys are the whole query. */
const storedPages = new Map<string, string[]>();

function sendPage({ base, options }: FakeFhirServer, query: URLSearchParams, response: ServerResponse): void {
  const name = query.get('_getpages') ?? '';
  const from = Number(query.get('from'));
  const all = storedPages.get(name) ?? [];
  const until = from + options.pageSize;
  const next = new URLSearchParams({ _getpages: name, from: String(until) });
  const links = until < all.length ? [{ relation: 'next', url: `${base}?${next.toString()}` }] : [];
  send(response, buildBundle(all.slice(from, until), links, base));
}

const TEST_TAG = '"tag":[{"system":"http://terminology.hl7.org/CodeSystem/v3-ActReason","code":"HTEST"}]';

/** A resource marked as test data, unless it says itself what it is tagged with; every other character stays. */
export const tagAsTest = (text: string): string =>
  text.includes('"tag":')
    ? text
    : text.includes('"meta":{')
      ? text.replace('"meta":{', `"meta":{${TEST_TAG},`)
      : text.replace('{', `{"meta":{${TEST_TAG}},`);

/** A searchset around the texts as they are, but for the tag of test data. */
export const buildBundle = (texts: readonly string[], links: object[] = [], base = ''): string =>
  `{"resourceType":"Bundle","type":"searchset","link":${JSON.stringify(links)},"entry":[${texts
    .map((text) => `{"fullUrl":"${base}/${getReference(text)}","resource":${tagAsTest(text)}}`)
    .join(',')}]}`;

export function send(
  response: ServerResponse,
  body: string | object,
  { status = 200, type = 'application/fhir+json' } = {},
): void {
  response.writeHead(status, { 'content-type': type });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export const sendOutcome = (response: ServerResponse, status: number): void =>
  send(
    response,
    { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'processing' }] },
    { status },
  );

const buildDiscovery = ({ base, options }: FakeFhirServer): object => ({
  token_endpoint: `${base}/token`,
  capabilities: ['client-confidential-asymmetric', 'permission-v2'],
  ...(options.smart?.algs && { token_endpoint_auth_signing_alg_values_supported: options.smart.algs }),
  ...options.discovery,
});

function buildCapabilityStatement({ options, resources }: FakeFhirServer): object {
  const types = options.types ?? [...new Set(resources.map((text) => parseResource(text).resourceType))];
  const operations = [options.everything && 'everything', options.match && 'match'].filter(Boolean);
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    kind: 'instance',
    fhirVersion: '4.0.1',
    rest: [
      {
        mode: 'server',
        resource: ['Patient', ...types.filter((type) => type !== 'Patient')].map((type) => ({
          type,
          interaction: [{ code: 'read' }, { code: 'search-type' }],
          searchParam: [{ name: 'patient' }, { name: '_id' }, { name: '_lastUpdated' }],
          ...(type === 'Patient' && { operation: operations.map((name) => ({ name })) }),
        })),
      },
    ],
  };
}

/** RFC 7523 §3, as SMART Backend Services has it. */
async function issueToken(
  { base, options }: FakeFhirServer,
  body: string,
  response: ServerResponse,
): Promise<void> {
  const form = new URLSearchParams(body);
  try {
    if (options.smart === null) throw new Error('no tokens here');
    const { clientId: issuer, keys, now } = options.smart;
    const { payload, protectedHeader } = await jwtVerify(
      form.get('client_assertion') ?? '',
      createLocalJWKSet(await keys()),
      {
        issuer,
        subject: issuer,
        audience: `${base}/token`,
        algorithms: options.smart.algs ?? ['RS384'],
        currentDate: now(),
        maxTokenAge: '5 minutes',
        requiredClaims: ['jti', 'exp'],
      },
    );
    const lifetime = (payload.exp ?? 0) - now().getTime() / 1000;
    if (lifetime > 300 || protectedHeader.typ !== 'JWT') throw new Error('lives too long');
    if (form.get('grant_type') !== 'client_credentials') throw new Error('another grant');
    const scope = form.get('scope');
    send(response, { access_token: 'a-token', token_type: 'bearer', expires_in: 300, scope });
  } catch {
    send(response, { error: 'invalid_client' }, { status: 400, type: 'application/json' });
  }
}
