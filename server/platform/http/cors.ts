import cors from '@fastify/cors';
import { allowsAnyOrigin, type EndpointDefinition } from '../../../contract/endpoint.ts';
import type { App } from './app.ts';
import { buildPathPattern } from './path-pattern.ts';

export type UrlMatcher = (url: string) => boolean;

/** The program of the preview of the review, whose sandbox gives it an origin of its own: the same file for everybody. */
const PREVIEW_PROGRAM = '/consent-preview/assets/[^/?]+';

/** Creates a matcher for the URLs that pages of any origin may ask for: those of open endpoints, and the preview's program. */
export const createOpenUrlMatcher = (endpoints: readonly EndpointDefinition[]): UrlMatcher =>
  createUrlMatcher(endpoints.filter(allowsAnyOrigin));

function createUrlMatcher(endpoints: readonly EndpointDefinition[]): UrlMatcher {
  const paths = endpoints.map(({ path }) => buildPathPattern(path, () => '[^/?]+'));
  const pattern = new RegExp(`^(${[...paths, PREVIEW_PROGRAM].join('|')})(\\?|$)`);
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
