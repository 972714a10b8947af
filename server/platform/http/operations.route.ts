import type { Registry } from 'prom-client';
import * as contract from '../../../contract/operations.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { buildOpenApiDocument } from '../../../contract/openapi/openapi.ts';
import { Refusal } from '../kernel/refusal.ts';
import { serve, type Routes } from './serve.ts';

export interface OperationsDeps {
  /** Resolves when the store answers. */
  ping(): Promise<unknown>;
  registry: Registry;
}

/** Registers liveness, readiness, metrics and the OpenAPI document. */
export function registerOperationsRoutes(routes: Routes, { ping, registry }: OperationsDeps): void {
  let stopping = false;
  routes.app.addHook('preClose', async () => void (stopping = true));
  serve(routes, contract.getHealth, () => ({ status: 'ok' as const }));
  serve(routes, contract.getReadiness, async () => {
    if (stopping) throw notReady();
    await ping().catch(() => {
      throw notReady();
    });
    return { status: 'ready' as const };
  });
  serve(routes, contract.getMetrics, () => registry.metrics());
  const document = buildOpenApiDocument(ENDPOINTS);
  serve(routes, contract.getOpenApi, () => document);
}

const notReady = (): Refusal =>
  new Refusal(503, 'not_ready', { detail: 'The store does not answer, or the process is stopping.' });
