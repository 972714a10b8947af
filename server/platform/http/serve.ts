import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Caller, Session } from '../../../contract/audience.ts';
import {
  PATH_PARAMETERS,
  hasEntityTag,
  isConditional,
  refusesUnknownParameters,
  takesMember,
  type CallerFor,
  type EndpointDefinition,
  type PathParameters,
  type StoreUse,
} from '../../../contract/endpoint.ts';
import { createHiddenProperty } from '../kernel/hidden-property.ts';
import { invalidInput, Refusal } from '../kernel/refusal.ts';
import { describeIssue } from './describe-issue.ts';
import { findUnstorable } from '../kernel/unstorable-text.ts';
import type { Authenticate, ResolveSession } from './access.ts';
import { authorizeCall, requireStillPermitted, type AuthorizedCall } from './authorize-call.ts';
import type { ResolveBaseUrl } from './base-url.ts';
import type { BrowserContext, BrowserCookies } from './browser-context.ts';
import { isRedirect } from './method-not-allowed.ts';
import type { App } from './app.ts';
import type { Usage } from '../usage/usage.ts';
import { findUnknownNames } from './unknown-names.ts';
import { normalizeClientAddress } from './client-address.ts';
import { sendTagged } from './send-tagged.ts';
import { afterAnswer } from './after-answer.ts';
import { countCall } from './count-call.ts';

/** The argument of a handler: validated, typed and authorized as the contract says. */
export interface Call<D extends EndpointDefinition> {
  params: PathParameters<D['path']>;
  query: D['query'] extends z.ZodType ? z.infer<D['query']> : undefined;
  body: D['body'] extends z.ZodType ? z.infer<D['body']> : undefined;
  caller: CallerFor<D['audience']>;
  /** The client's address, for throttling only. */
  address: string;
  /** The path and query as the client wrote them, which may be another name of the endpoint's. */
  calledUrl: string;
  /** What the log calls the request: `reqId` of its lines. */
  requestId: string;
  /** Our base URL, under the name that the client called. */
  baseUrl: string;
  /** The browser, for endpoints of our own pages. */
  browserContext: D['page'] extends true | 'console' ? BrowserContext : undefined;
}

type ResponseBody<D extends EndpointDefinition> = z.input<D['response']>;

export interface RawCall<D extends EndpointDefinition> {
  request: FastifyRequest;
  reply: FastifyReply;
  params: PathParameters<D['path']>;
  caller: CallerFor<D['audience']>;
  browserContext: D['page'] extends true | 'console' ? BrowserContext : undefined;
  /** For a handler that reads the body itself: throws where the caller may no longer do this, once it has the body. */
  requireStillPermitted(): Promise<void>;
}

export interface Routes {
  app: App;
  resolveBaseUrl: ResolveBaseUrl;
  authenticate: Authenticate;
  resolveSession: ResolveSession;
  browserCookies: BrowserCookies;
  /** Throws where the disk of the store has no space for what an endpoint needs. */
  requireCapacity(use: StoreUse): void;
  /** Counts what organizations use. */
  usage: Pick<Usage, 'count'>;
  /** Runs a handler as its caller's: where the store is shared, each has a turn. */
  runAs<T>(owner: string, work: () => T): T;
}

/**
 * Registers an endpoint of the contract whose handler speaks HTTP itself (streams, JSON-RPC). The page's CSRF token,
 * the caller's token or session, the audience and the ownership of what the path names are checked before a byte of the
 * body is read; all but the first once more when the body has arrived, unless it came with its headers.
 */
export function serveRaw<D extends EndpointDefinition>(
  { app, browserCookies, requireCapacity, runAs, usage, ...deps }: Routes,
  definition: D,
  handler: (call: RawCall<D>) => Promise<unknown>,
): void {
  const names = [...definition.path.matchAll(/\{(\w+)\}/g)].map(
    ([, name]) => name as keyof typeof PATH_PARAMETERS,
  );
  const parameters = z.object(Object.fromEntries(names.map((name) => [name, PATH_PARAMETERS[name]])));
  const parseParameters = ({ params }: FastifyRequest): Record<string, string> =>
    parse(parameters, params, '');
  const calls = createHiddenProperty<FastifyRequest, AuthorizedCall>('call');
  const openBrowser = createBrowserCheck(definition, browserCookies);
  const refuseUnknown = createUnknownParameterCheck(definition);
  app.route({
    method: definition.method,
    exposeHeadRoute: !isRedirect(definition),
    url: definition.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(definition.bodyLimit !== undefined && { bodyLimit: definition.bodyLimit }),
    config: {
      slowBody: definition.slowBody ?? false,
      consumes: definition.consumes ?? 'application/json',
    },
    onRequest: async (request, reply) => {
      const browserContext = openBrowser(request, reply);
      const call = await authorizeCall({ ...deps, parseParameters }, definition, { request, browserContext });
      if (definition.storeUse !== undefined) requireCapacity(definition.storeUse);
      refuseUnknown(request);
      refuseIfMatch(definition, request);
      calls.set(request, call);
      afterAnswer(reply, () => countCall(usage, definition, { caller: call.caller, reply }));
    },
    preHandler: async (request) => requireStillPermitted(definition, calls.get(request) as AuthorizedCall),
    handler: (request, reply) => {
      const call = calls.get(request) as AuthorizedCall & RawCall<D>;
      return runAs(getOwner(call.caller), () => handler({ ...call, request, reply }));
    },
  });
}

/**
 * Creates the check of a request that has cookies: of our own pages, and of the console at an endpoint of organizations. The
 * latter takes the cookie with the page's proof or a bearer token, never both: they could speak for two organizations.
 */
function createBrowserCheck(
  definition: EndpointDefinition,
  browserCookies: BrowserCookies,
): (request: FastifyRequest, reply: FastifyReply) => BrowserContext | undefined {
  const { page, method } = definition;
  const isMembers = takesMember(definition);
  const kind = page === true ? 'account' : 'console';
  return (request, reply) => {
    if (page === undefined && !(isMembers && browserCookies.hasSession(request, kind))) return undefined;
    if (page === undefined && request.headers.authorization !== undefined)
      throw new Refusal(400, 'two_credentials', {
        detail: 'The request has a bearer token and a session of the console; send one of them.',
      });
    const context = browserCookies.getContext(request, reply, kind);
    if (method !== 'GET') browserCookies.requireCsrfToken(request, context);
    else if (page === undefined) browserCookies.requireOwnOrigin(request);
    return context;
  };
}

/** Returns the patient, or the organization, whose call it is; "" for anyone's. */
const getOwner = (caller: Caller | Session | null): string =>
  caller === null ? '' : 'patientId' in caller ? caller.patientId : caller.organizationId;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Registers an endpoint whose handler turns validated input into the response; both are validated by the contract. */
export function serve<D extends EndpointDefinition>(
  routes: Routes,
  definition: D,
  handler: (call: Call<D>) => ResponseBody<D> | Promise<ResponseBody<D>>,
): void {
  serveRaw(routes, definition, async ({ request, reply, params, caller, browserContext }) => {
    const query = definition.query && parseQuery(definition.query, request.query);
    const body = definition.body && parseBody(definition, request);
    const input = {
      params,
      caller,
      query,
      body,
      address: normalizeClientAddress(request.ip),
      calledUrl: request.originalUrl,
      requestId: request.id,
      baseUrl: routes.resolveBaseUrl(request),
      browserContext,
    };
    const result = await handler(input as unknown as Call<D>);
    // The contract decides what leaves: a field that it does not name is dropped, and a wrong one is our fault (500).
    const response: unknown = definition.response.parse(result);
    reply.code(definition.status ?? 200);
    if (hasEntityTag(definition))
      return sendTagged(request, reply, { text: JSON.stringify(response), type: JSON_TYPE });
    if (definition.produces) reply.type(definition.produces);
    // Not the reply, which would be waited for until the answer has left.
    return response;
  });
}

/**
 * Refuses a change under a condition that cannot hold: tags are weak, and `If-Match` compares strongly (RFC 9110 §13.1.1). To
 * ignore it would overwrite what the caller meant to keep.
 */
function refuseIfMatch(definition: EndpointDefinition, request: FastifyRequest): void {
  const condition = request.headers['if-match'];
  if (!isConditional(definition) || condition === undefined || condition.trim() === '*') return;
  throw new Refusal(412, 'precondition_failed', {
    detail: 'Tags of this service are weak, so that If-Match matches none of them. Nothing was changed.',
  });
}

/** Creates the check of a call for parameters that the contract does not name. Throws `invalid_input`, which names the parameter. */
function createUnknownParameterCheck(definition: EndpointDefinition): (request: FastifyRequest) => void {
  if (!refusesUnknownParameters(definition)) return () => {};
  const { query } = definition;
  // Listed when a request has parameters: for all endpoints it is a seventh of what it costs to create the service.
  let listed: readonly string[] | undefined;
  const listKnown = (): readonly string[] => (listed ??= listParameters(query));
  return (request) => {
    const unknown = Object.keys(request.query as object).filter((name) => !listKnown().includes(name));
    if (unknown.length === 0) return;
    const known = listKnown();
    const names = known.length > 0 ? `its parameters are ${known.join(', ')}` : 'it takes none';
    const message = `is no parameter of this endpoint; ${names}`;
    throw invalidInput(unknown.map((name) => ({ path: name.slice(0, 100), message })));
  };
}

const listParameters = (query: EndpointDefinition['query']): string[] =>
  Object.keys((query && z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }).properties) ?? {});

function parseBody(definition: EndpointDefinition, request: FastifyRequest): unknown {
  const type = definition.body as z.ZodType;
  if (definition.bodyOptional && (request.body ?? null) === null) return parse(type, {}, '');
  if (request.body === undefined)
    throw new Refusal(400, 'body_required', { detail: 'This endpoint needs a JSON body.' });
  // Whoever signs in may send all that came with a key.
  const isChecked = definition.path.startsWith('/v1/') && !definition.audience.includes('anyone');
  const unknown = isChecked ? findUnknownNames(type, request.body, definition.closedBody === true) : [];
  if (unknown.length > 0) throw invalidInput(unknown.slice(0, MAX_FIELD_ERRORS));
  return definition.checksItems ? validate(type, request.body, '') : parse(type, request.body, '');
}

const DESCRIBED = { error: describeIssue };

/** Parses input by its type; throws `invalid_input`, which names the path of a fault and never quotes the input. */
export function parse<T extends z.ZodType>(type: T, input: unknown, root: string): z.infer<T> {
  const data = validate(type, input, root);
  const fault = findUnstorable(data, root);
  if (fault) throw invalidInput([fault]);
  return data;
}

/** The same, without a look at texts that cannot be stored. */
function validate<T extends z.ZodType>(type: T, input: unknown, root: string): z.infer<T> {
  const result = type.safeParse(input, DESCRIBED);
  if (!result.success) throw invalidInput(toFieldErrors(result.error.issues, root));
  return result.data;
}

/** The faults of a value of another type than was expected; the length of a list is none of them. */
const TYPE_FAULTS: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

/** Parses the parameters of a URL, of which one that is repeated is a list; throws as `parse` does. */
export function parseQuery<T extends z.ZodType>(type: T, query: unknown): z.infer<T> {
  const isRepeated = ({ path, code }: z.core.$ZodIssue): boolean =>
    path.length === 1 &&
    TYPE_FAULTS.has(code) &&
    Array.isArray((query as Record<PropertyKey, unknown>)[path[0] ?? '']);
  // Only one that is refused is looked at again.
  const hasList = Object.values(query as object).some((value) => Array.isArray(value));
  const issues = (hasList && type.safeParse(query, DESCRIBED).error?.issues) || [];
  if (!issues.some(isRepeated)) return parse(type, query, '');
  throw invalidInput(
    issues
      .slice(0, MAX_FIELD_ERRORS)
      .flatMap((issue) =>
        isRepeated(issue)
          ? [{ path: String(issue.path[0]), message: 'may be given once' }]
          : toFieldErrors([issue], ''),
      ),
  );
}

/** A body of a megabyte may have a hundred thousand faults, which would be an answer of twelve. */
const MAX_FIELD_ERRORS = 100;

/**
 * Converts the first issues of zod, with paths as a person writes them (`patients[3].email`). Never quotes the input. What two checks
 * say of one value in the same words is said once.
 */
export function toFieldErrors(
  issues: readonly z.core.$ZodIssue[],
  root: string,
): { path: string; message: string }[] {
  const errors = issues.slice(0, MAX_FIELD_ERRORS).flatMap((issue) => {
    const path = issue.path.reduce<string>(
      (prefix, part) =>
        typeof part === 'number' ? `${prefix}[${part}]` : prefix ? `${prefix}.${String(part)}` : String(part),
      root,
    );
    if (issue.code === 'invalid_union') {
      const nearest = issue.errors.toSorted((one, other) => one.length - other.length)[0];
      if (nearest) return toFieldErrors(nearest, path);
    }
    return [{ path, message: issue.message }];
  });
  return [...new Map(errors.map((error) => [JSON.stringify(error), error])).values()];
}
