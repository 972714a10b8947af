import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import * as contract from '../../contract/mcp.ts';
import { countWithin } from '../http/rate-limit.ts';
import { guard, type Guarded, type Routes } from '../http/serve.ts';
import { eraOf } from './era.ts';
import { parseMessage, type Id, type Message } from './json-rpc.ts';
import { sayMcp } from './mcp-dialect.ts';
import { answer, type MethodDeps } from './methods.ts';

interface RouteDeps extends MethodDeps {
  baseUrl: string;
  /** Requests a minute, per patient and client, on this node. */
  rateLimit: number;
}

/** `POST /mcp` and `POST /projects/{projectId}/mcp`: stateless, every request on its own. */
export function mcpRoutes(routes: Routes, deps: RouteDeps): void {
  void routes.app.register(async (app) => {
    const messages = new WeakMap<FastifyRequest, Message>();
    const idOf = (request: FastifyRequest): Id => messages.get(request)?.id ?? null;
    takeJsonText(app);
    sayMcp(app, { baseUrl: deps.baseUrl, idOf });
    const limiter = new RateLimiterMemory({ points: deps.rateLimit, duration: 60 });
    const handle = async ({
      request,
      reply,
      caller,
    }: Omit<Guarded<typeof contract.mcp>, 'params'>): Promise<FastifyReply> => {
      await countWithin(limiter, `${caller.patientId} ${caller.client}`, 'rate_limited');
      const message = parseMessage(typeof request.body === 'string' ? request.body : '');
      messages.set(request, message);
      const era = eraOf(message, request.headers);
      if (message.id === undefined) return reply.code(202).send();
      const result = await answer(deps, caller, { era, message });
      return sendResult(request, reply, { jsonrpc: '2.0', id: message.id, result });
    };
    guard({ ...routes, app }, contract.mcp, handle);
    guard({ ...routes, app }, contract.projectMcp, handle);
  });
}

/** Bodies stay text, so that what is not JSON is refused in JSON-RPC's words. */
function takeJsonText(app: Routes['app']): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
}

/** JSON, unless the client takes nothing but a stream: then one event that holds the same. */
function sendResult(request: FastifyRequest, reply: FastifyReply, response: unknown): FastifyReply {
  const accept = request.headers.accept ?? '';
  const onlyStream =
    accept.includes('text/event-stream') && !/application\/json|application\/\*|\*\/\*/.test(accept);
  if (!onlyStream) return reply.type('application/json').send(response);
  return reply.type('text/event-stream').send(`event: message\ndata: ${JSON.stringify(response)}\n\n`);
}
