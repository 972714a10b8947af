import type { Clock } from '../../../platform/kernel/clock.ts';
import { createOpenItems } from '../../../platform/kernel/open-items.ts';
import type { Db } from '../../../platform/db/db.ts';
import * as statements from './claims.sql.ts';

/** Longer than an attempt and storing its result take. */
const LEASE_MS = 15_000;

interface LeaseDeps {
  db: Db;
  clock: Clock;
  onError(error: unknown): void;
}

/** The deliveries that a node has claimed; one heartbeat extends all their leases. */
export interface Leases {
  /** Returns the terms of a lease that begins now, for a claim. */
  issue(): Pick<statements.ClaimOptions, 'worker' | 'now' | 'leaseUntil'>;
  track(delivery: statements.ClaimedRow): void;
  untrack(delivery: statements.ClaimedRow): void;
  isTracked(delivery: statements.ClaimedRow): boolean;
  /** Counts the deliveries to failing endpoints. */
  countFailing(): number;
  /** Releases deliveries whose attempt was not made or not finished. */
  release(deliveries: readonly statements.ClaimedRow[]): Promise<unknown>;
}

export function createLeases({ db, clock, onError }: LeaseDeps, worker: string): Leases {
  const held = createOpenItems<statements.ClaimedRow>();
  /** What ends the tracking of each. */
  const ends = new Map<string, () => void>();
  const toKey = (delivery: statements.ClaimedRow): string => delivery.webhook_id + delivery.event_id;
  let heartbeat: NodeJS.Timeout | undefined;
  const issue = () => {
    const now = clock.now();
    return { worker, now, leaseUntil: new Date(now.getTime() + LEASE_MS) };
  };
  const extend = (): void => {
    const { leaseUntil } = issue();
    db.query(statements.extendLeases({ worker, deliveries: [...held] }, leaseUntil)).catch(onError);
  };
  return {
    issue,
    track(delivery) {
      const key = toKey(delivery);
      ends.get(key)?.();
      ends.set(key, held.add(delivery));
      heartbeat ??= setInterval(extend, LEASE_MS / 3);
    },
    untrack(delivery) {
      const key = toKey(delivery);
      ends.get(key)?.();
      ends.delete(key);
      if (held.size > 0) return;
      clearInterval(heartbeat);
      heartbeat = undefined;
    },
    isTracked: (delivery) => ends.has(toKey(delivery)),
    countFailing: () => [...held].filter(({ failing }) => failing).length,
    release: (deliveries) => db.query(statements.releaseDeliveries({ worker, deliveries })),
  };
}
