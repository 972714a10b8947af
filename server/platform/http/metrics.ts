import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../../../contract/version.ts';
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
  app.addHook('onResponse', async (request, reply) => {
    durations.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
  return registry;
}
