import { Counter, type Registry } from 'prom-client';
import type { AttentionCheck } from '../attention/attention.ts';
import { createAttentionItem } from '../attention/attention.ts';
import type { Clock } from '../kernel/clock.ts';
import { createCoalescer } from '../kernel/coalesce.ts';
import { registerQueriedGauges } from '../kernel/queried-gauges.ts';
import { one, type Db } from '../db/db.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { ObjectStoreConfig } from './config.ts';
import { createDeletionJob } from './delete-objects.ts';
import { createObjects, type Objects } from './objects.ts';
import { countDeletions } from './objects.sql.ts';
import { createObjectStore } from './s3-client.ts';

interface OpenedObjects {
  objects: Objects;
  recurringJobs: readonly JobKind<object>[];
  attentionChecks: readonly AttentionCheck[];
  close(): Promise<void>;
}

/** Opens the access to the configured object store, with its job and its figures; without one there is neither. */
export function openObjects(
  config: ObjectStoreConfig | null,
  { db, clock, metrics }: { db: Db; clock: Clock; metrics: Registry },
): OpenedObjects {
  if (config === null)
    return {
      objects: createObjects({ db, clock, store: null }),
      recurringJobs: [],
      attentionChecks: [],
      close: async () => {},
    };
  const requests = new Counter({
    name: 'chartgate_object_store_requests_total',
    help: 'Requests of this process to the object store, by what they did and whether the last attempt succeeded',
    labelNames: ['operation', 'outcome'],
    registers: [metrics],
  });
  const store = createObjectStore(config, {
    onRequest: (operation, outcome) => requests.inc({ operation, outcome }),
  });
  registerDeletionMetrics(metrics, { db, clock });
  return {
    objects: createObjects({ db, clock, store, takesNew: config.takesNew }),
    recurringJobs: [createDeletionJob({ db, clock, store })],
    attentionChecks: [createObjectAttention(db)],
    close: () => store.close(),
  };
}

function registerDeletionMetrics(registry: Registry, { db, clock }: { db: Db; clock: Clock }): void {
  const counts = createCoalescer(() => one(db, countDeletions(clock.now())));
  registerQueriedGauges(registry, [
    {
      name: 'chartgate_object_deletions_due',
      help: 'Objects that are to be deleted from the object store now',
      fill: async (gauge) => gauge.set((await counts.run('')).due),
    },
    {
      name: 'chartgate_object_deletions_failing',
      help: 'Objects that five attempts or more have not deleted from the object store',
      fill: async (gauge) => gauge.set((await counts.run('')).failing),
    },
  ]);
}

/** Creates the check whether what was removed is still in the object store: people were promised that it goes. */
const createObjectAttention = (db: Db): AttentionCheck => ({
  permission: 'organization.write',
  async find(_reach, now) {
    const { failing } = await one(db, countDeletions(now));
    if (failing === 0) return [];
    const target = '/docs/operations#an-object-store';
    return [
      createAttentionItem({ code: 'objects_not_deleted', severity: 'problem', count: failing, target }),
    ];
  },
});
