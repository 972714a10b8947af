import type { FastifyRequest } from 'fastify';
import { allowsAnyOrigin, type EndpointDefinition } from '../../../contract/endpoint.ts';
import type { App } from './app.ts';
import { buildPathPattern } from './path-pattern.ts';

export type UrlMatcher = (url: string) => boolean;

/** The program of the preview of the review, whose sandbox gives it an origin of its own: the same file for everybody. */
const PREVIEW_PROGRAM = '/consent-preview/assets/[^/?]+';

/** No path below reads a cookie, and a page that asks for one that does not exist learns that it does not. */
const FHIR_PATHS = '/FHIR/[^?]*';

/** Creates a matcher for the URLs that pages of any origin may ask for: those of open endpoints, all of FHIR, and the preview's program. */
export const createOpenUrlMatcher = (endpoints: readonly EndpointDefinition[]): UrlMatcher =>
  createUrlMatcher(endpoints.filter(allowsAnyOrigin));

function createUrlMatcher(endpoints: readonly EndpointDefinition[]): UrlMatcher {
  const paths = endpoints.map(({ path }) => buildPathPattern(path, () => '[^/?]+'));
  const pattern = new RegExp(`^(${[...paths, FHIR_PATHS, PREVIEW_PROGRAM].join('|')})(\\?|$)`);
  return (url) => pattern.test(url);
}

/** Everything that clients of our endpoints send and read beyond what a browser allows by itself. */
const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'prefer',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
];
const RESPONSE_HEADERS = ['www-authenticate', 'retry-after', 'allow', 'location', 'last-modified', 'etag'];

/** What is said to every page of another origin, never to be sent with credentials. */
const ANSWER_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': RESPONSE_HEADERS.join(', '),
};
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': REQUEST_HEADERS.join(', '),
  'access-control-max-age': '3600',
  // Safari waits for the body of a 204 that does not say so.
  'content-length': '0',
};

/**
 * Registers CORS. Open endpoints, and those that take bearer tokens, allow every origin, and never credentials;
 * endpoints that take cookies, and those that redirect a browser, allow none. What is no preflight is left to the method check,
 * which refuses it in the dialect of its path: a route for `OPTIONS *` would answer for all of them.
 */
export function registerCors(app: App, endpoints: readonly EndpointDefinition[]): void {
  const isOpen = createOpenUrlMatcher(endpoints);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'Origin');
    if (!isOpen(request.url)) return done();
    reply.headers(ANSWER_HEADERS);
    if (isPreflight(request)) reply.code(204).headers(PREFLIGHT_HEADERS).send();
    else done();
  });
}

/** https://fetch.spec.whatwg.org/#cors-preflight-request */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;
