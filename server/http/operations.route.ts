import type { Registry } from 'prom-client';
import * as contract from '../../contract/operations.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { openApiDocument } from '../../contract/openapi.ts';
import { Refusal } from '../kernel/refusal.ts';
import { serve, type Routes } from './serve.ts';

export interface OperationsDeps {
  /** Resolves when the store answers. */
  ping(): Promise<unknown>;
  registry: Registry;
}

/** Liveness, readiness, metrics and the service's own description. */
export function operationsRoutes(routes: Routes, { ping, registry }: OperationsDeps): void {
  let stopping = false;
  routes.app.addHook('preClose', async () => void (stopping = true));
  serve(routes, contract.healthz, () => ({ status: 'ok' as const }));
  serve(routes, contract.readyz, async () => {
    if (stopping) throw notReady();
    await ping().catch(() => {
      throw notReady();
    });
    return { status: 'ready' as const };
  });
  serve(routes, contract.metrics, () => registry.metrics());
  const document = openApiDocument(ENDPOINTS);
  serve(routes, contract.openapi, () => document);
}

const notReady = (): Refusal =>
  new Refusal(503, 'not_ready', { detail: 'The store does not answer, or the process is stopping.' });
