import { createWorkerPool, type WorkerPool } from '../../../platform/jobs/worker-pool.ts';
import type { DeliveryKey } from './claims.sql.ts';
import { createDeliveryQueue, type DeliveryDeps } from './delivery-queue.ts';
import type { AttemptRow } from './results.sql.ts';

/** Deliveries under way on a node; they mostly wait for answers. */
export const MAX_CONCURRENT_DELIVERIES = 512;

export interface DeliveryDispatcher {
  pool: WorkerPool;
  /** Looks for what is due, soon. */
  wake(): void;
  /** An attempt of one delivery now, also of a webhook that is not active; null when it is under way or settled. */
  sendNow(key: DeliveryKey): Promise<AttemptRow | null>;
}

/** The sending of events to the endpoints of webhooks. */
export function createDeliveryDispatcher(deps: DeliveryDeps): DeliveryDispatcher {
  const queue = createDeliveryQueue(deps, MAX_CONCURRENT_DELIVERIES);
  const pool = createWorkerPool(queue, { concurrency: MAX_CONCURRENT_DELIVERIES, onError: deps.onError });
  return { pool, wake: () => pool.wake(), sendNow: (key) => queue.sendNow(key) };
}
