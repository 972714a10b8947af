import type { Clock } from '../../kernel/clock.ts';
import type { Db } from '../../storage/db.ts';
import * as statements from './claims.sql.ts';

/** Longer than an attempt takes, with its result. */
const LEASE_MS = 15_000;

interface LeaseDeps {
  db: Db;
  clock: Clock;
  onError(error: unknown): void;
}

/** What a node has taken: one heartbeat keeps all its leases alive. */
export interface Leases {
  /** For a claim. */
  next(): Pick<statements.Claim, 'worker' | 'now' | 'leaseUntil'>;
  hold(delivery: statements.ClaimedRow): void;
  letGo(delivery: statements.ClaimedRow): void;
  holds(delivery: statements.ClaimedRow): boolean;
  /** How many of endpoints that fail. */
  failing(): number;
  /** Gives back what was not sent, or not to its end. */
  release(deliveries: readonly statements.ClaimedRow[]): Promise<unknown>;
}

export function deliveryLeases({ db, clock, onError }: LeaseDeps, worker: string): Leases {
  const held = new Map<string, statements.ClaimedRow>();
  const keyOf = (delivery: statements.ClaimedRow): string => delivery.webhook_id + delivery.event_id;
  let heartbeat: NodeJS.Timeout | undefined;
  const next = () => {
    const now = clock.now();
    return { worker, now, leaseUntil: new Date(now.getTime() + LEASE_MS) };
  };
  const extend = (): void => {
    const { leaseUntil } = next();
    db.query(statements.extendLeases({ worker, deliveries: [...held.values()] }, leaseUntil)).catch(onError);
  };
  return {
    next,
    hold(delivery) {
      held.set(keyOf(delivery), delivery);
      heartbeat ??= setInterval(extend, LEASE_MS / 3);
    },
    letGo(delivery) {
      held.delete(keyOf(delivery));
      if (held.size > 0) return;
      clearInterval(heartbeat);
      heartbeat = undefined;
    },
    holds: (delivery) => held.has(keyOf(delivery)),
    failing: () => [...held.values()].filter(({ failing }) => failing).length,
    release: (deliveries) => db.query(statements.releaseDeliveries({ worker, deliveries })),
  };
}
