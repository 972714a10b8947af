import cors from '@fastify/cors';
import type { EndpointDefinition } from '../../../contract/endpoint.ts';
import type { App } from './app.ts';

export type UrlMatcher = (url: string) => boolean;

/** Creates a matcher for the URLs of the endpoints that pages of any origin may call. */
export const createOpenUrlMatcher = (endpoints: readonly EndpointDefinition[]): UrlMatcher =>
  createUrlMatcher(endpoints.filter(({ cors }) => cors));

function createUrlMatcher(endpoints: readonly EndpointDefinition[]): UrlMatcher {
  const paths = endpoints.map(({ path }) => path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+'));
  const pattern = new RegExp(`^(${paths.join('|')})(\\?|$)`);
  return (url) => pattern.test(url);
}

/**
 * Registers CORS. Open endpoints allow every origin, and never credentials. Protected resources allow the origins that
 * the host check admits; endpoints that take cookies, and those that redirect a browser, allow none.
 */
export function registerCors(app: App, endpoints: readonly EndpointDefinition[]): void {
  const isOpen = createOpenUrlMatcher(endpoints);
  const isProtected = createUrlMatcher(endpoints.filter(({ protectedResource }) => protectedResource));
  void app.register(cors, {
    hook: 'onRequest',
    delegator: (request, done) => {
      const origin = isOpen(request.url) ? '*' : isProtected(request.url);
      done(null, {
        origin,
        credentials: false,
        methods: ['GET', 'POST'],
        allowedHeaders: ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'],
        exposedHeaders: ['www-authenticate', 'retry-after'],
        maxAge: 3600,
      });
    },
  });
}
