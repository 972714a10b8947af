import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { VERSION } from '../../../contract/version.ts';
import { createHiddenProperty } from '../kernel/hidden-property.ts';
import { afterAnswer, getSentStatus } from './after-answer.ts';
import type { App } from './app.ts';

/** Measures durations by route pattern and status: patterns hold no ids, so no label identifies a person. */
export function measureRequests(app: App): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'chartgate_build_info',
    help: 'The version of the program; always 1',
    labelNames: ['version'],
    aggregator: 'max',
    registers: [registry],
  }).set({ version: VERSION }, 1);
  const durations = new Histogram({
    name: 'chartgate_http_request_duration_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const isCounted = createHiddenProperty<FastifyRequest, true>('counted');
  const count = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isCounted.get(request)) return;
    isCounted.set(request, true);
    durations.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: getSentStatus(reply) },
      reply.elapsedTime / 1000,
    );
  };
  app.addHook('onRequest', async (request, reply) => afterAnswer(reply, () => void count(request, reply)));
  // Of what was refused before that hook, too.
  app.addHook('onResponse', count);
  return registry;
}
