import cors from '@fastify/cors';
import type { EndpointDefinition } from '../../contract/endpoint.ts';
import type { App } from './app.ts';

export type IsOpen = (url: string) => boolean;

/** Whether a URL is one of the endpoints that pages of any origin may call. */
export const openToAnyOrigin = (endpoints: readonly EndpointDefinition[]): IsOpen =>
  urlsOf(endpoints.filter(({ cors }) => cors));

function urlsOf(endpoints: readonly EndpointDefinition[]): IsOpen {
  const paths = endpoints.map(({ path }) => path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+'));
  const pattern = new RegExp(`^(${paths.join('|')})(\\?|$)`);
  return (url) => pattern.test(url);
}

/**
 * Open endpoints answer every origin, and never with credentials. The others answer the origins that the host check
 * lets pass; those that take cookies, and those that lead a browser elsewhere, answer none.
 */
export function answerOtherOrigins(app: App, endpoints: readonly EndpointDefinition[]): void {
  const anyOrigin = openToAnyOrigin(endpoints);
  const takesTokens = urlsOf(endpoints.filter(({ protectedResource }) => protectedResource));
  void app.register(cors, {
    hook: 'onRequest',
    delegator: (request, done) => {
      const origin = anyOrigin(request.url) ? '*' : takesTokens(request.url);
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
