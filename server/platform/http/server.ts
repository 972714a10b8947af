import { maxHeaderSize } from 'node:http';
import cookie from '@fastify/cookie';
import fastify, { LogController } from 'fastify';
import type { EndpointDefinition } from '../../../contract/endpoint.ts';
import type { App } from './app.ts';
import { acceptJson } from './json-body.ts';
import { refuseContentCodings } from './content-coding.ts';
import { registerCors, createOpenUrlMatcher } from './cors.ts';
import { describeRequest } from './describe-request.ts';
import { createHostCheck } from './host-check.ts';
import { registerProblemErrors } from './problem-dialect.ts';
import { createMalformedUrlCheck } from './malformed-url.ts';
import { createMethodCheck, refuseMethodsOfWiderPaths } from './method-not-allowed.ts';
import { NODE_OPTIONS, refuseInPlaceOfNode } from './refused-by-node.ts';
import { createUrlRewriter } from './rewrite-url.ts';
import { closeConnectionsOnShutdown, type StopLimits } from './graceful-shutdown.ts';
import { BODY_LIMITS, limitBodyTimes, REQUEST_TIMEOUT_MS, type BodyLimits } from './body-deadline.ts';
import { answerParserError } from './raw-problem.ts';
import { handlePipelinedInTurn } from './pipelined-requests.ts';
import { createProxyTrust } from './client-address.ts';
import { redactLogLine } from './redact-log.ts';
import { traceRequests } from './trace-requests.ts';
import { toLogMessage } from '../kernel/log-message.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

export interface ServerOptions {
  logLevel: string;
  /** `host[:port]` values that a request may be addressed to (`CHARTGATE_ALLOWED_HOSTS` and the base URL's). */
  allowedHosts: readonly string[];
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[];
  endpoints: readonly EndpointDefinition[];
  /** Where log lines go instead of the standard output; tests read them. */
  logStream?: { write(line: string): void } | undefined;
  bodyLimits?: BodyLimits | undefined;
  stopLimits?: StopLimits | undefined;
  telemetry?: Telemetry | null;
}

/**
 * Creates a Fastify server with everything that concerns every route. Logs name the route, never an address or a body.
 */
export function createServer(options: ServerOptions): App {
  const { rewriteUrl, refuseMalformed } = createMalformedUrlCheck(createUrlRewriter(options.endpoints));
  const app: App = fastify({
    logger: {
      level: options.logLevel,
      ...(options.logStream && { stream: options.logStream }),
      hooks: { streamWrite: redactLogLine },
      serializers: {
        req: describeRequest,
        res: (reply) => ({ statusCode: reply.statusCode }),
        err: describeError,
      },
    },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    trustProxy: options.trustedProxies.length > 0 ? createProxyTrust(options.trustedProxies) : false,
    forceCloseConnections: 'idle',
    // A request that was under way on an open connection when the stop began is answered like any other.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    clientErrorHandler: answerParserError,
    http: NODE_OPTIONS,
    rewriteUrl,
    // Each endpoint validates its parameters; a URL is shorter than the headers may be.
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: false },
  });
  handlePipelinedInTurn(app);
  closeConnectionsOnShutdown(app, options.stopLimits);
  if (options.telemetry) traceRequests(app, options.telemetry);
  acceptJson(app);
  registerProblemErrors(app);
  refuseInPlaceOfNode(app);
  app.addHook('onRequest', createHostCheck(options.allowedHosts, createOpenUrlMatcher(options.endpoints)));
  limitBodyTimes(app, options.bodyLimits ?? BODY_LIMITS);
  registerCors(app, options.endpoints);
  // After CORS has set its headers.
  app.addHook('onRequest', refuseMalformed);
  app.addHook('onRequest', createMethodCheck(app, options.endpoints));
  refuseMethodsOfWiderPaths(app, options.endpoints);
  refuseContentCodings(app);
  void app.register(cookie);
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  return app;
}

/** Serializes an error's type, stack, and what of its message the log may say. */
function describeError(error: Error): { type: string; message: string; stack: string } {
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return {
    type: error.name,
    message: toLogMessage(error),
    stack: frames.slice(0, 12).join('\n'),
  };
}
