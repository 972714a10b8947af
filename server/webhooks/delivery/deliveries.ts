import { crewOf, type Crew } from '../../jobs/crew.ts';
import type { DeliveryKey } from './claims.sql.ts';
import { deliveryQueue, type DeliveryDeps } from './delivery-queue.ts';
import type { AttemptRow } from './results.sql.ts';

/** Deliveries under way on a node; they mostly wait for answers. */
export const MOST_DELIVERIES = 512;

export interface Deliveries {
  crew: Crew;
  /** Looks for what is due, soon. */
  wake(): void;
  /** An attempt of one delivery now, also of a webhook that is not active; null when it is under way or settled. */
  sendNow(key: DeliveryKey): Promise<AttemptRow | null>;
}

/** The sending of events to the endpoints of webhooks. */
export function webhookDeliveries(deps: DeliveryDeps): Deliveries {
  const queue = deliveryQueue(deps, MOST_DELIVERIES);
  const crew = crewOf(queue, { hands: MOST_DELIVERIES, onError: deps.onError });
  return { crew, wake: () => crew.wake(), sendNow: (key) => queue.sendNow(key) };
}
