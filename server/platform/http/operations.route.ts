import * as contract from '../../../contract/operations.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { buildOpenApiDocument } from '../../../contract/openapi/openapi.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../db/store-clock.ts';
import { toLogMessage } from '../kernel/log-message.ts';
import { Refusal } from '../kernel/refusal.ts';
import { withDeadline } from '../kernel/with-deadline.ts';
import type { Db } from '../db/db.ts';
import { requireMetricsToken, type MetricsConfig } from './metrics-server.ts';
import { serve, serveRaw, type Routes } from './serve.ts';

export interface OperationsDeps {
  /** Resolves with how far the store's clock is ahead of the node's, milliseconds, when the store answers and takes writes. */
  measureClockDifference(): Promise<number>;
  /** In Prometheus' text format, of all processes of the node. */
  readMetrics(): Promise<string>;
  /** Their media type. */
  metricsType: string;
  metrics: MetricsConfig;
  /** The engine of the store. */
  engine: Db['engine'];
}

/** Who asks for readiness gives up after a few seconds, and then knows less than a 503 says. */
const READY_WITHIN_MS = 1_500;

/** Registers liveness, readiness, metrics and the OpenAPI document. */
export function registerOperationsRoutes(routes: Routes, deps: OperationsDeps): void {
  const { measureClockDifference } = deps;
  let stopping = false;
  routes.app.addHook('preClose', async () => void (stopping = true));
  serve(routes, contract.getHealth, () => ({ status: 'ok' as const }));
  serve(routes, contract.getReadiness, async () => {
    if (stopping) throw notReady('the process is stopping');
    const difference = await withDeadline(READY_WITHIN_MS, measureClockDifference()).catch(
      (error: unknown) => {
        throw notReady(toLogMessage(error) || 'the store did not answer in time');
      },
    );
    if (Math.abs(difference) > MAX_CLOCK_DIFFERENCE_MS) throw clocksDiffer(difference);
    return { status: 'ready' as const, store: deps.engine };
  });
  serveRaw(routes, contract.getMetrics, async ({ request, reply }) => {
    requireMetricsToken(deps.metrics, request.headers.authorization);
    return reply.type(deps.metricsType).send(await deps.readMetrics());
  });
  // Built when it is first asked for: every start would take a tenth of a second longer.
  let document: ReturnType<typeof buildOpenApiDocument> | undefined;
  serve(routes, contract.getOpenApi, ({ baseUrl }) => ({
    ...(document ??= buildOpenApiDocument(ENDPOINTS)),
    servers: [{ url: baseUrl }],
  }));
}

/** A node that is ahead ends permissions too early; one that is behind dates what it records before what came first. */
const clocksDiffer = (difference: number): Refusal =>
  new Refusal(503, 'clocks_differ', {
    detail: `The clocks of this process and of the store are more than ${MAX_CLOCK_DIFFERENCE_MS / 1000} seconds apart.`,
    reason: `the store is ${difference} ms ahead`,
  });

const notReady = (reason: string): Refusal =>
  new Refusal(503, 'not_ready', {
    detail: 'The store does not answer, or takes no writes, or the process is stopping.',
    reason,
  });
