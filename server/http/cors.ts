import cors from '@fastify/cors';
import type { EndpointDefinition } from '../../contract/endpoint.ts';
import type { App } from './app.ts';

export type IsOpen = (url: string) => boolean;

/** Whether a URL is one of the endpoints that pages of any origin may call. */
export function openToAnyOrigin(endpoints: readonly EndpointDefinition[]): IsOpen {
  const patterns = endpoints
    .filter((endpoint) => endpoint.cors)
    .map(({ path }) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`));
  return (url) => patterns.some((pattern) => pattern.test(url));
}

/**
 * Open endpoints answer every origin, and never with credentials. The others answer the origins that the host check
 * lets pass; those that take cookies, and those that lead a browser elsewhere, answer none.
 */
export function answerOtherOrigins(app: App, endpoints: readonly EndpointDefinition[]): void {
  const anyOrigin = openToAnyOrigin(endpoints);
  const tokens = endpoints
    .filter(({ protectedResource }) => protectedResource)
    .map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`));
  void app.register(cors, {
    hook: 'onRequest',
    delegator: (request, done) => {
      const origin = anyOrigin(request.url) ? '*' : tokens.some((pattern) => pattern.test(request.url));
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
