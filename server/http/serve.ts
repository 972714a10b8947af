import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Caller } from '../../contract/audience.ts';
import {
  PATH_PARAMETERS,
  type CallerOf,
  type EndpointDefinition,
  type PathParameters,
} from '../../contract/endpoint.ts';
import { invalidInput, Refusal } from '../kernel/refusal.ts';
import { callerOf, checkOwnership, type Authenticate } from './access.ts';
import type { Visitor, Visitors } from './visitor.ts';
import { leadsOn } from './wrong-method.ts';
import type { App } from './app.ts';
import { clientAddress } from './client-address.ts';

/** What a handler is called with: checked, typed and permitted by the contract. */
export interface Call<D extends EndpointDefinition> {
  params: PathParameters<D['path']>;
  query: D['query'] extends z.ZodType ? z.infer<D['query']> : undefined;
  body: D['body'] extends z.ZodType ? z.infer<D['body']> : undefined;
  caller: CallerOf<D['audience']>;
  /** The client's address, for throttling only. */
  address: string;
  /** The browser, of an endpoint for our own page. */
  visitor: D['page'] extends true ? Visitor : undefined;
}

type Answer<D extends EndpointDefinition> = z.input<D['response']>;

export interface Guarded<D extends EndpointDefinition> {
  request: FastifyRequest;
  reply: FastifyReply;
  params: PathParameters<D['path']>;
  caller: CallerOf<D['audience']>;
  visitor: D['page'] extends true ? Visitor : undefined;
}

export interface Routes {
  app: App;
  authenticate: Authenticate;
  visitors: Visitors;
}

/**
 * Registers an endpoint of the contract whose handler speaks HTTP itself (streams, JSON-RPC). The token, the
 * audience, the ownership of what the path names and the proof of our own page are settled before a byte of the body is
 * read.
 */
export function guard<D extends EndpointDefinition>(
  { app, authenticate, visitors }: Routes,
  definition: D,
  handler: (call: Guarded<D>) => Promise<unknown>,
): void {
  const names = [...definition.path.matchAll(/\{(\w+)\}/g)].map(
    ([, name]) => name as keyof typeof PATH_PARAMETERS,
  );
  const parameters = z.object(Object.fromEntries(names.map((name) => [name, PATH_PARAMETERS[name]])));
  const calls = new WeakMap<FastifyRequest, Settled>();
  app.route({
    method: definition.method,
    exposeHeadRoute: !leadsOn(definition),
    url: definition.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(definition.bodyLimit !== undefined && { bodyLimit: definition.bodyLimit }),
    onRequest: async (request, reply) => {
      const visitor = definition.page && visitors.of(request, reply);
      if (visitor && definition.method !== 'GET') visitors.demandOwnPage(request, visitor);
      const { url, headers } = request;
      const caller = await callerOf({ url, authorization: headers.authorization }, definition, authenticate);
      const params: Record<string, string> = parse(parameters, request.params, '');
      checkOwnership(caller, params);
      calls.set(request, { caller, params, visitor });
    },
    handler: (request, reply) => handler({ ...(calls.get(request) as Guarded<D>), request, reply }),
  });
}

interface Settled {
  caller: Caller | null;
  params: Record<string, string>;
  visitor: Visitor | undefined;
}

/** Registers an endpoint whose handler turns checked input into the answer; both ends are held to the contract. */
export function serve<D extends EndpointDefinition>(
  routes: Routes,
  definition: D,
  handler: (call: Call<D>) => Answer<D> | Promise<Answer<D>>,
): void {
  guard(routes, definition, async ({ request, reply, params, caller, visitor }) => {
    const query = definition.query && parse(definition.query, request.query, '');
    const body = definition.body && parseBody(definition, request);
    const given = { params, caller, query, body, address: clientAddress(request.ip), visitor };
    const answer = await handler(given as unknown as Call<D>);
    // What leaves is what the contract says: a field it does not name is dropped, a wrong one is our fault.
    const checked: unknown = definition.response.parse(answer);
    reply.code(definition.status ?? 200);
    if (definition.produces) reply.type(definition.produces);
    return reply.send(checked);
  });
}

function parseBody(definition: EndpointDefinition, request: FastifyRequest): unknown {
  if (request.body === undefined || request.body === null) {
    if (definition.bodyOptional) return parse(definition.body as z.ZodType, {}, '');
    throw new Refusal(400, 'body_required', { detail: 'This endpoint needs a JSON body.' });
  }
  return parse(definition.body as z.ZodType, request.body, '');
}

/** Input as its type says; throws `invalid_input`, which names the place and never quotes. */
export function parse<T extends z.ZodType>(type: T, input: unknown, root: string): z.infer<T> {
  const result = type.safeParse(input);
  if (!result.success) throw invalidInput(faultsOf(result.error.issues, root));
  const nul = pathOfNul(result.data, root);
  if (nul !== null) throw invalidInput([{ path: nul, message: 'must not hold the character U+0000' }]);
  return result.data;
}

/** Where a text holds U+0000, which the database does not store. */
function pathOfNul(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const found = pathOfNul(
      inner,
      Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name,
    );
    if (found !== null) return found;
  }
  return null;
}

/** zod's issues with paths as a person writes them: `patients[3].email`. Never quotes the input. */
export function faultsOf(
  issues: readonly z.core.$ZodIssue[],
  root: string,
): { path: string; message: string }[] {
  return issues.flatMap((issue) => {
    const path = issue.path.reduce<string>(
      (so, part) =>
        typeof part === 'number' ? `${so}[${part}]` : so ? `${so}.${String(part)}` : String(part),
      root,
    );
    if (issue.code === 'invalid_union') {
      const nearest = issue.errors.toSorted((one, other) => one.length - other.length)[0];
      if (nearest) return faultsOf(nearest, path);
    }
    return [{ path, message: issue.message }];
  });
}
