import cors from '@fastify/cors';
import { allowsAnyOrigin, type EndpointDefinition } from '../../../contract/endpoint.ts';
import type { App } from './app.ts';
import { buildPathPattern } from './path-pattern.ts';

export type UrlMatcher = (url: string) => boolean;

/** Creates a matcher for the URLs of the endpoints that pages of any origin may call. */
export const createOpenUrlMatcher = (endpoints: readonly EndpointDefinition[]): UrlMatcher =>
  createUrlMatcher(endpoints.filter(allowsAnyOrigin));

function createUrlMatcher(endpoints: readonly EndpointDefinition[]): UrlMatcher {
  const paths = endpoints.map(({ path }) => buildPathPattern(path, () => '[^/?]+'));
  const pattern = new RegExp(`^(${paths.join('|')})(\\?|$)`);
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

/**
 * Registers CORS. Open endpoints, and those that take bearer tokens, allow every origin, and never credentials;
 * endpoints that take cookies, and those that redirect a browser, allow none.
 */
export function registerCors(app: App, endpoints: readonly EndpointDefinition[]): void {
  const isOpen = createOpenUrlMatcher(endpoints);
  void app.register(cors, {
    hook: 'onRequest',
    delegator: (request, done) => {
      done(null, {
        origin: isOpen(request.url) ? '*' : false,
        credentials: false,
        methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        allowedHeaders: REQUEST_HEADERS,
        exposedHeaders: RESPONSE_HEADERS,
        maxAge: 3600,
      });
    },
  });
}
