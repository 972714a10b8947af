import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../platform/http/app.ts';
import { acceptsEventsAlone } from '../../../platform/http/accepts-events.ts';
import type { ResolveBaseUrl } from '../../../platform/http/base-url.ts';
import { buildChallenge } from '../../../platform/http/challenge.ts';
import { logRefusal, toRefusal } from '../../../platform/http/problem-dialect.ts';
import { forbidden, type Refusal } from '../../../platform/kernel/refusal.ts';
import { ERROR_CODES, RpcRefusal, type RequestId } from './json-rpc.ts';
import { readRequestId } from './read-request-id.ts';

/** HTTP bodies of the specification by refusal code; the body of any other refusal is its code. */
const ERROR_MESSAGES: ReadonlyMap<string, string> = new Map([
  ['unauthorized', 'unauthorized'],
  ['wrong_project', 'Invalid Project'],
  ['invalid_project', 'Invalid Project'],
  ['access_revoked', 'Data Access is revoked!'],
  ['rate_limited', 'rate_limited'],
]);

interface McpErrorDeps {
  resolveBaseUrl: ResolveBaseUrl;
  /** Returns the id of the message, once that was parsed; undefined before. */
  getRequestId(request: FastifyRequest): RequestId | undefined;
}

/** Registers the MCP endpoint's errors: JSON-RPC for a message at fault, HTTP for a caller without permission. */
export function registerMcpErrors(app: App, { resolveBaseUrl, getRequestId }: McpErrorDeps): void {
  const findRequestId = async (request: FastifyRequest): Promise<RequestId> => {
    const known = getRequestId(request);
    return known === undefined ? readRequestId(request) : known;
  };
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toProjectRefusal(toRefusal(error as Error, request));
    logRefusal(request, refusal, error);
    if (refusal instanceof RpcRefusal)
      return sendRpc(reply, { refusal, id: refusal.id ?? getRequestId(request) ?? null });
    if (refusal.code === 'patient_not_found') {
      return sendRpc(reply, {
        refusal: new RpcRefusal(ERROR_CODES.serverError, 'Patient context not found'),
        id: await findRequestId(request),
      });
    }
    if (refusal.status === 503 || refusal.status === 507) {
      reply.headers(refusal.headers);
      return sendRpc(reply, {
        refusal: new RpcRefusal(ERROR_CODES.serverError, refusal.message, { status: refusal.status }),
        id: await findRequestId(request),
      });
    }
    if (refusal.status >= 500) {
      return sendRpc(reply, {
        refusal: new RpcRefusal(ERROR_CODES.internalError, 'Internal error'),
        id: await findRequestId(request),
      });
    }
    if (refusal.status === 413 || refusal.status === 415 || refusal.status === 400) {
      reply.headers(refusal.headers);
      return sendRpc(reply, {
        refusal: new RpcRefusal(ERROR_CODES.invalidRequest, `Invalid request: ${refusal.message}`, {
          status: refusal.status,
        }),
        id: null,
      });
    }
    return sendHttp(reply, { refusal, challenge: buildMcpChallenge(resolveBaseUrl(request), request) });
  });
}

/** The project of the path is all that is parsed as input of `/v1` is: what is no id at all is no project of the caller either. */
const toProjectRefusal = (refusal: Refusal): Refusal =>
  refusal.code === 'invalid_input' ? forbidden('This is no id of a project.', 'wrong_project') : refusal;

/** Returns the body of an answer: JSON; for a client that accepts only an event stream, one event that holds the same. */
export function formatMessage(reply: FastifyReply, message: object): unknown {
  const isEvent = acceptsEventsAlone(reply.request.headers);
  void reply.type(isEvent ? 'text/event-stream' : 'application/json');
  return isEvent ? `event: message\ndata: ${JSON.stringify(message)}\n\n` : message;
}

/** Answers in the format that the client accepts, as of a result; what is answered in HTTP alone is JSON for everyone. */
function sendRpc(reply: FastifyReply, { refusal, id }: { refusal: RpcRefusal; id: RequestId }): FastifyReply {
  const error = {
    code: refusal.rpcCode,
    message: refusal.message,
    ...(refusal.data !== undefined && { data: refusal.data }),
  };
  return reply.code(refusal.status).send(formatMessage(reply, { jsonrpc: '2.0', id, error }));
}

function sendHttp(
  reply: FastifyReply,
  { refusal, challenge }: { refusal: Refusal; challenge: string },
): FastifyReply {
  if (refusal.status === 401) reply.header('www-authenticate', challenge);
  // A 403 carries no challenge: with one, clients would start a step-up that cannot help.
  return reply
    .code(refusal.status)
    .headers(refusal.headers)
    .type('application/json')
    .send({ error: ERROR_MESSAGES.get(refusal.code) ?? refusal.code });
}

/**
 * Builds the challenge of RFC 9728 §5.1, which names where a client learns how to get a token: at `/`, which is `/mcp`, the metadata of
 * the address that it called. As a URL, the path has no quotes.
 */
function buildMcpChallenge(baseUrl: string, request: FastifyRequest): string {
  const { origin, pathname } = new URL(baseUrl);
  const isRoot = /^\/(\?|$)/.test(request.originalUrl);
  // Another name of an endpoint is one with a slash at its end.
  const slash = request.url === request.originalUrl ? '' : '/';
  const called = isRoot ? '' : new URL(request.url, origin).pathname + slash;
  const path = `${pathname.replace(/\/$/, '')}${called}`;
  return buildChallenge(request, {
    resource_metadata: `${origin}/.well-known/oauth-protected-resource${path}`,
    scope: 'patient/*.read',
  });
}
