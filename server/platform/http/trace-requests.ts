import type { FastifyRequest } from 'fastify';
import type { Attributes, OpenSpan, Telemetry } from '../telemetry/telemetry.ts';
import { readMonotonicMs } from '../kernel/clock.ts';
import { createHiddenProperty } from '../kernel/hidden-property.ts';
import type { App } from './app.ts';

/** What balancers and scrapers ask every few seconds. */
const UNTRACED: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Writes a span and a duration for each request by the semantic conventions of HTTP, but for `url.path`, `url.query`,
 * `client.address` and `user_agent.original`: they hold ids, tokens and where somebody is. The route has placeholders.
 */
export function traceRequests(app: App, telemetry: Telemetry): void {
  const spans = createHiddenProperty<FastifyRequest, OpenSpan>('span');
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route } = request.routeOptions;
    if (UNTRACED.has(route)) return done();
    const { traceparent } = request.headers;
    const begunMs = readMonotonicMs();
    const attributes: Attributes = {
      'http.request.method': request.method,
      'url.scheme': request.protocol,
      'network.protocol.version': request.raw.httpVersion,
      ...(route !== undefined && { 'http.route': route }),
    };
    const span = telemetry.startSpan({
      name: route === undefined ? request.method : `${request.method} ${route}`,
      kind: 'SERVER',
      attributes,
      parent: typeof traceparent === 'string' ? traceparent : null,
    });
    spans.set(request, span);
    // After an answer as after a connection that was lost before it.
    reply.raw.once('close', () => {
      const { statusCode } = reply;
      const error = reply.raw.writableFinished ? (statusCode >= 500 ? `${statusCode}` : null) : 'aborted';
      const outcome: Attributes = { 'http.response.status_code': statusCode };
      span.set(outcome);
      if (error !== null) span.fail(error);
      span.end();
      telemetry.recordDuration('http.server.request.duration', (readMonotonicMs() - begunMs) / 1000, {
        ...attributes,
        ...outcome,
        ...(error !== null && { 'error.type': error }),
      });
    });
    span.run(done);
  });
  // The parser of a body goes on in the context of its socket.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.run(done);
  });
}
