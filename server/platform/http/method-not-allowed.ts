import { maxHeaderSize } from 'node:http';
import createRouter from 'find-my-way';
import type { FastifyRequest, HTTPMethods } from 'fastify';
import type { EndpointDefinition } from '../../../contract/endpoint.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { App } from './app.ts';

export const isRedirect = ({ status }: EndpointDefinition): boolean => status === 303;

const toPattern = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** What a page, or a file of one, is asked for by. */
const PAGE_METHODS: readonly string[] = ['GET', 'HEAD'];

/**
 * Registers the check that answers 405 with `Allow` (RFC 9110 §15.5.6) for every other method of every path that exists, before
 * a body is parsed, whatever its type. What no route took is looked up among all paths, which are laid out when that happens
 * first: a route for each other method would be four of five that a node has. A path that stands for another one (`/` for
 * `/mcp`) takes what both do. Returns the hook, which runs after others; the paths of pages are those of the routes that are
 * registered from now on and stand in no contract.
 */
export function createMethodCheck(
  app: App,
  endpoints: readonly EndpointDefinition[],
): (request: FastifyRequest) => Promise<void> {
  const allowedByPath = listAllowed(endpoints);
  const endpointPaths = new Set([...allowedByPath.keys()].map(toPattern));
  app.addHook('onRoute', ({ url }) => {
    if (!endpointPaths.has(url)) allowedByPath.set(url, PAGE_METHODS);
  });
  let find: ((url: string) => readonly string[]) | undefined;
  return async ({ is404, url, originalUrl }) => {
    if (!is404) return;
    find ??= createPathLookup(allowedByPath);
    const allowed = new Set([...find(originalUrl), ...find(url)]);
    if (allowed.size > 0) throw methodNotAllowed([...allowed]);
  };
}

/**
 * Refuses the methods of a path that a wider one takes: `GET /webhooks/check-url` would be that of a webhook with this id.
 */
export function refuseMethodsOfWiderPaths(app: App, endpoints: readonly EndpointDefinition[]): void {
  const paths = [...listAllowed(endpoints)].map(([path, allowed]) => ({
    path,
    allowed,
    parts: path.split('/'),
  }));
  const byLength = Map.groupBy(paths, ({ parts }) => parts.length);
  for (const { path, allowed, parts } of paths) {
    const others = byLength.get(parts.length) ?? [];
    const wider = others.filter((other) => other.path !== path && isExample(parts, other.parts));
    const taken = new Set(wider.flatMap((other) => other.allowed)).difference(new Set(allowed));
    if (taken.size === 0) continue;
    app.route({
      method: [...taken] as HTTPMethods[],
      url: toPattern(path),
      onRequest: async () => {
        throw methodNotAllowed(allowed);
      },
      handler: async () => undefined,
    });
  }
}

/** The methods of each path. */
function listAllowed(endpoints: readonly EndpointDefinition[]): Map<string, readonly string[]> {
  const byPath = Map.groupBy(endpoints, ({ path }) => path);
  return new Map(
    byPath.entries().map(([path, definitions]) => {
      const allowed = definitions.map(({ method }) => method as string);
      // A redirect has side effects, which a HEAD request must not cause.
      const allowsHead = allowed.includes('GET') && !definitions.some(isRedirect);
      return [path, allowsHead ? [...allowed, 'HEAD'] : allowed];
    }),
  );
}

function createPathLookup(
  byPath: ReadonlyMap<string, readonly string[]>,
): (url: string) => readonly string[] {
  const router = createRouter({ maxParamLength: maxHeaderSize });
  for (const [path, allowed] of byPath) router.on('GET', toPattern(path), () => undefined, { allowed });
  return (url) => (router.find('GET', url)?.store as { allowed: string[] } | undefined)?.allowed ?? [];
}

/** Whether a pattern of as many parts takes the path. */
const isExample = (parts: readonly string[], pattern: readonly string[]): boolean =>
  pattern.every((part, at) => part.startsWith('{') || part === parts[at]);

export const methodNotAllowed = (allowed: readonly string[]): Refusal =>
  new Refusal(405, 'method_not_allowed', {
    detail: `This path takes ${allowed.join(', ')}.`,
    headers: { allow: allowed.join(', ') },
  });
