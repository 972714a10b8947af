import type { EndpointDefinition } from '../../../contract/endpoint.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { App } from './app.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const isRedirect = ({ status }: EndpointDefinition): boolean => status === 303;

/** Registers 405 with `Allow` (RFC 9110 §15.5.6) for every other method of every path that exists. */
export function registerMethodNotAllowed(app: App, endpoints: readonly EndpointDefinition[]): void {
  const byPath = Map.groupBy(endpoints, ({ path }) => path);
  for (const [path, definitions] of byPath) {
    const allowed = definitions.map(({ method }) => method as string);
    // A redirect has side effects, which a HEAD request must not cause.
    const allowsHead = allowed.includes('GET') && !definitions.some(isRedirect);
    const allow = allowsHead ? [...allowed, 'HEAD'] : allowed;
    app.route({
      method: [...METHODS, 'HEAD' as const].filter((method) => !allow.includes(method)),
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      // Runs before a body is parsed, whatever its type.
      onRequest: async () => {
        throw new Refusal(405, 'method_not_allowed', {
          detail: `This path takes ${allow.join(', ')}.`,
          headers: { allow: allow.join(', ') },
        });
      },
      handler: async () => undefined,
    });
  }
}
