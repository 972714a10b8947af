import type { IncomingMessage, ServerResponse } from 'node:http';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { egress, type Egress } from '../../server/egress/egress.ts';
import { certificate, tlsServer } from './tls/server.ts';

/** A FHIR R4 server of somebody else's, on loopback under a name, as well or as badly behaved as a test wants it. */
export interface FhirServer {
  /** `https://ehr.agent.example:PORT/fhir`, for whoever goes through `egress`. */
  base: string;
  egress: Egress;
  /** Patients and all else, as the texts that are sent. */
  resources: string[];
  /** What it can do, and how it does it. */
  ways: Ways;
  /** Method, path and query of each request, in their order. */
  asked: string[];
  /** Answers in the server's place; false: it answers itself. */
  instead: (request: Asked, response: ServerResponse) => boolean;
  stop(): Promise<void>;
}

export interface Ways {
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

export interface Asked {
  method: string;
  /** Below the base, with a leading slash. */
  path: string;
  query: URLSearchParams;
  body: string;
}

type Resource = { resourceType: string; id: string; [name: string]: unknown };

const HOST = 'ehr.agent.example';

export async function fhirServer(ways: Partial<Ways> = {}): Promise<FhirServer> {
  const server: FhirServer = {
    base: '',
    egress: egress({
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      permits: (address) => address === '127.0.0.1',
      ca: certificate,
    }),
    resources: [],
    ways: {
      everything: true,
      match: false,
      types: null,
      pageSize: 50,
      bearer: null,
      smart: null,
      discovery: {},
      ...ways,
    },
    asked: [],
    instead: () => false,
    stop: () => listener.stop(),
  };
  const listener = await tlsServer((request, response) => void handle(server, request, response));
  server.base = `https://${HOST}:${listener.port}/fhir`;
  return server;
}

async function handle(server: FhirServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', server.base);
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
  const path = url.pathname.replace(/^\/fhir/, '');
  const asked = { method: request.method ?? '', path, query: url.searchParams, body };
  server.asked.push(`${asked.method} ${path}${decodeURIComponent(url.search)}`);
  if (server.instead(asked, response)) return;
  const open = ['/.well-known/smart-configuration', '/metadata', '/token'].includes(path);
  if (!open && !mayRead(server, request.headers.authorization)) return outcome(response, 401);
  await answer(server, asked, response);
}

const mayRead = ({ ways }: FhirServer, authorization: string | undefined): boolean =>
  (ways.bearer === null && ways.smart === null) || authorization === `Bearer ${ways.bearer ?? 'a-token'}`;

async function answer(server: FhirServer, asked: Asked, response: ServerResponse): Promise<void> {
  const { ways } = server;
  const [, type = '', id = '', operation] = asked.path.split('/');
  if (asked.path === '/.well-known/smart-configuration')
    return ways.smart ? send(response, discoveryOf(server)) : outcome(response, 404);
  if (asked.path === '/token') return token(server, asked.body, response);
  if (asked.path === '/metadata') return send(response, statementOf(server));
  if (asked.query.has('_getpages')) return page(server, asked.query, response);
  if (operation === '$everything') {
    if (!ways.everything) return outcome(response, 404);
    return list(server, compartment(server, id), { asked, response });
  }
  if (id === '$match')
    return ways.match ? send(response, bundle(matches(server, asked.body))) : outcome(response, 404);
  if (id !== '') {
    const found = server.resources.find((text) => nameOf(text) === `${type}/${id}`);
    return found === undefined ? outcome(response, 404) : send(response, found);
  }
  list(server, searched(server, type, asked.query), { asked, response });
}

const parsed = (text: string): Resource => JSON.parse(text) as Resource;

const nameOf = (text: string): string => {
  const { resourceType, id } = parsed(text);
  return `${resourceType}/${id}`;
};

const ownerOf = (resource: Resource): string =>
  ((resource['subject'] ?? resource['patient']) as { reference?: string } | undefined)?.reference ?? '';

const compartment = ({ resources }: FhirServer, id: string): string[] =>
  resources.filter((text) => nameOf(text) === `Patient/${id}` || ownerOf(parsed(text)) === `Patient/${id}`);

function searched({ resources }: FhirServer, type: string, query: URLSearchParams): string[] {
  const ofType = resources.filter((text) => parsed(text).resourceType === type);
  const ids = query.get('_id')?.split(',');
  if (ids) return ofType.filter((text) => ids.includes(parsed(text).id));
  const patient = query.get('patient') ?? query.get('subject');
  if (patient !== null) return ofType.filter((text) => ownerOf(parsed(text)) === patient);
  const identifier = query.get('identifier');
  if (identifier !== null)
    return ofType.filter((text) => text.includes(`"${identifier.split('|')[1] ?? ''}"`));
  return ofType.filter((text) =>
    text.toLowerCase().includes(`"${(query.get('family') ?? '').toLowerCase()}"`),
  );
}

/** By family name alone, each called certain: whoever asks must look for themselves. */
function matches({ resources }: FhirServer, body: string): string[] {
  const { parameter } = JSON.parse(body) as { parameter: { resource?: { name: { family: string }[] } }[] };
  const family = parameter.find(({ resource }) => resource)?.resource?.name[0]?.family ?? '';
  return resources.filter((text) => text.includes(`"Patient"`) && text.includes(`"${family}"`));
}

function list(
  server: FhirServer,
  texts: string[],
  { asked: { path, query }, response }: { asked: Asked; response: ServerResponse },
): void {
  const since = query.get('_since') ?? query.get('_lastUpdated')?.replace(/^ge/, '') ?? '';
  const newer = texts.filter((text) => {
    const { meta } = parsed(text) as { meta?: { lastUpdated?: string } };
    return since === '' || Date.parse(meta?.lastUpdated ?? '2000-01-01') >= Date.parse(since);
  });
  const next = new URLSearchParams({ _getpages: `${path}?${query.toString()}`, from: '0' });
  kept.set(next.get('_getpages') ?? '', newer);
  page(server, next, response);
}

/** Of every server alike: the keys are the whole query. */
const kept = new Map<string, string[]>();

function page({ base, ways }: FhirServer, query: URLSearchParams, response: ServerResponse): void {
  const name = query.get('_getpages') ?? '';
  const from = Number(query.get('from'));
  const all = kept.get(name) ?? [];
  const until = from + ways.pageSize;
  const next = new URLSearchParams({ _getpages: name, from: String(until) });
  const links = until < all.length ? [{ relation: 'next', url: `${base}?${next.toString()}` }] : [];
  send(response, bundle(all.slice(from, until), links, base));
}

/** A searchset around the texts as they are. */
export const bundle = (texts: readonly string[], links: object[] = [], base = ''): string =>
  `{"resourceType":"Bundle","type":"searchset","link":${JSON.stringify(links)},"entry":[${texts
    .map((text) => `{"fullUrl":"${base}/${nameOf(text)}","resource":${text}}`)
    .join(',')}]}`;

export function send(
  response: ServerResponse,
  body: string | object,
  { status = 200, type = 'application/fhir+json' } = {},
): void {
  response.writeHead(status, { 'content-type': type });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export const outcome = (response: ServerResponse, status: number): void =>
  send(
    response,
    { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'processing' }] },
    { status },
  );

const discoveryOf = ({ base, ways }: FhirServer): object => ({
  token_endpoint: `${base}/token`,
  capabilities: ['client-confidential-asymmetric', 'permission-v2'],
  ...(ways.smart?.algs && { token_endpoint_auth_signing_alg_values_supported: ways.smart.algs }),
  ...ways.discovery,
});

function statementOf({ ways, resources }: FhirServer): object {
  const types = ways.types ?? [...new Set(resources.map((text) => parsed(text).resourceType))];
  const operations = [ways.everything && 'everything', ways.match && 'match'].filter(Boolean);
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
async function token({ base, ways }: FhirServer, body: string, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(body);
  try {
    if (ways.smart === null) throw new Error('no tokens here');
    const { clientId: issuer, keys, now } = ways.smart;
    const { payload, protectedHeader } = await jwtVerify(
      form.get('client_assertion') ?? '',
      createLocalJWKSet(await keys()),
      {
        issuer,
        subject: issuer,
        audience: `${base}/token`,
        algorithms: ways.smart.algs ?? ['RS384'],
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
