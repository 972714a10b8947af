import type { FastifyRequest } from 'fastify';
import * as contract from '../../../../contract/mcp/mcp.ts';
import { consumeOrThrow, createNodeLimiter } from '../../../platform/http/rate-limit.ts';
import { serveRaw, type RawCall, type Routes } from '../../../platform/http/serve.ts';
import { answersInputErrorsAsResults, resolveEra } from './era.ts';
import { decodeBody } from '../../../platform/http/json-body.ts';
import { createHiddenProperty } from '../../../platform/kernel/hidden-property.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { ERROR_CODES, parseMessage, RpcRefusal, type RequestId, type Message } from './json-rpc.ts';
import { formatMessage, registerMcpErrors } from './mcp-dialect.ts';
import { createKeptAnswers } from '../kept-answers.ts';
import { dispatchRequest, requireInForceAfter, type MethodDeps } from './methods.ts';
import { traceDispatch } from './trace-dispatch.ts';
import type { Telemetry } from '../../../platform/telemetry/telemetry.ts';

interface RouteDeps extends Omit<MethodDeps, 'answerFromKept'> {
  /** Requests a minute, per patient and client, on this node. */
  rateLimit: number;
  telemetry: Telemetry | null;
}

type McpCall = Omit<RawCall<typeof contract.callMcp>, 'params'>;

/** Registers `POST /mcp` and `POST /projects/{projectId}/mcp`; there are no sessions. */
export function registerMcpRoutes(routes: Routes, routeDeps: RouteDeps): void {
  const deps = { ...routeDeps, answerFromKept: createKeptAnswers(routeDeps) };
  void routes.app.register(async (app) => {
    const messages = createHiddenProperty<FastifyRequest, Message>('message');
    const getRequestId = (request: FastifyRequest): RequestId | undefined => {
      const message = messages.get(request);
      return message && (message.id ?? null);
    };
    addJsonTextParser(app);
    registerMcpErrors(app, { resolveBaseUrl: routes.resolveBaseUrl, getRequestId });
    const dispatch = deps.telemetry === null ? dispatchRequest : traceDispatch(deps.telemetry);
    const limiter = createNodeLimiter('mcp', { points: deps.rateLimit, duration: 60 });
    const answer = async ({ request, reply, caller }: McpCall): Promise<unknown> => {
      await consumeOrThrow(limiter, `${caller.patientId} ${caller.client}`, 'rate_limited');
      const message = parseMessage(typeof request.body === 'string' ? request.body : '');
      messages.set(request, message);
      const era = resolveEra(message, request.headers);
      if (message.id === undefined) {
        await deps.tokens.requireInForce(caller);
        reply.code(202);
        return undefined;
      }
      const inputErrorsAreResults = answersInputErrorsAsResults(request.headers);
      const result = await dispatch(deps, caller, { era, message, inputErrorsAreResults });
      return formatMessage(reply, { jsonrpc: '2.0', id: message.id, result });
    };
    // What a tool reads is read under a token in force only; all else is answered after asking whether it is.
    const handle = async (call: McpCall): Promise<unknown> => {
      try {
        return await answer(call);
      } catch (error) {
        await requireInForceAfter(error, deps, call.caller);
        throw error;
      }
    };
    serveRaw({ ...routes, app }, contract.callMcp, handle);
    serveRaw({ ...routes, app }, contract.callProjectMcp, handle);
  });
}

/** Keeps bodies as text, so that malformed JSON is refused with a JSON-RPC error. */
function addJsonTextParser(app: Routes['app']): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, decodeBody(request.headers['content-type'], body as Buffer));
    } catch (error) {
      done(toParseError(error));
    }
  });
}

const toParseError = (error: unknown): Error =>
  error instanceof Refusal && error.status === 400
    ? new RpcRefusal(ERROR_CODES.parseError, 'Parse error: the body is not UTF-8', { status: 400 })
    : (error as Error);
