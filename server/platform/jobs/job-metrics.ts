import type { Registry } from 'prom-client';
import type { Db } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import { createCoalescer } from '../kernel/coalesce.ts';
import { registerQueriedGauges } from '../kernel/queried-gauges.ts';
import { countJobs } from './jobs.sql.ts';

export function registerJobMetrics(registry: Registry, { db, clock }: { db: Db; clock: Clock }): void {
  const counts = createCoalescer(() => db.query(countJobs()));
  registerQueriedGauges(registry, [
    {
      name: 'chartgate_jobs',
      help: 'Jobs in the store: due (now, later, or at work) and parked (given up)',
      labelNames: ['kind', 'state'],
      async fill(gauge) {
        for (const { kind, state, jobs } of await counts.run('')) gauge.set({ kind, state }, jobs);
      },
    },
    {
      name: 'chartgate_jobs_oldest_due_seconds',
      help: 'How long the oldest due job has waited to be taken',
      async fill(gauge) {
        const due = (await counts.run('')).filter(({ state }) => state === 'due');
        const now = clock.now().getTime();
        gauge.set(Math.max(0, ...due.map(({ oldest }) => (now - oldest.getTime()) / 1000)));
      },
    },
  ]);
}
