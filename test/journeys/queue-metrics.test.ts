import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { registerJobMetrics } from '../../server/platform/jobs/job-metrics.ts';
import { registerDeliveryGauges } from '../../server/surfaces/webhooks/delivery/delivery-metrics.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { call, newTestPatient, startTestService, type TestService } from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

const SECOND = 1000;
const TOKEN = 'a-token-of-this-test';

for (const engine of JOURNEY_ENGINES) {
  describe(`the metrics of queues on ${engine}`, () => {
    let service: TestService;
    before(
      async () =>
        void (service = await startTestService({ engine, environment: { CHARTGATE_METRICS_TOKEN: TOKEN } })),
    );
    after(() => service.stop());

    const scrapeMetrics = async (): Promise<string> =>
      (await call(service, '/metrics', { token: TOKEN })).body as string;
    const readMetric = (text: string, name: string): number | undefined => {
      const line = text.split('\n').find((each) => each.startsWith(`${name} `));
      return line === undefined ? undefined : Number(line.slice(name.length));
    };

    it('show nothing waiting where nothing waits', async () => {
      const text = await scrapeMetrics();
      assert.equal(readMetric(text, 'chartgate_jobs_oldest_due_seconds'), 0);
      assert.equal(readMetric(text, 'chartgate_webhook_oldest_due_seconds'), 0);
      for (const status of ['pending', 'retrying', 'exhausted'])
        assert.equal(readMetric(text, `chartgate_webhook_deliveries{status="${status}"}`), 0);
      assert.doesNotMatch(text, /^chartgate_jobs\{/m);
    });

    it('count jobs by kind and state, and say how long the oldest has been due; not of what is over', async () => {
      const { db } = service.store;
      const now = service.clock.now().getTime();
      const at = (seconds: number): Date => new Date(now + seconds * SECOND);
      await db.query(sql`
        insert into job (job_id, kind, unique_key, payload, run_at, state, created_at) values
          (${generateId()}, 'nobody.does', 'a', '{}', ${at(-90)}, 'due', ${at(-90)}),
          (${generateId()}, 'nobody.does', 'b', '{}', ${at(-20)}, 'due', ${at(-20)}),
          (${generateId()}, 'nobody.did', 'c', '{}', ${at(-900)}, 'parked', ${at(-900)}),
          (${generateId()}, 'later', 'd', '{}', ${at(900)}, 'due', ${at(0)})`);
      const text = await scrapeMetrics();
      assert.equal(readMetric(text, 'chartgate_jobs{kind="nobody.does",state="due"}'), 2);
      assert.equal(readMetric(text, 'chartgate_jobs{kind="nobody.did",state="parked"}'), 1);
      assert.equal(readMetric(text, 'chartgate_jobs{kind="later",state="due"}'), 1);
      assert.equal(Math.floor((readMetric(text, 'chartgate_jobs_oldest_due_seconds') ?? 0) / 10), 9);

      await db.query(sql`delete from job where kind = 'nobody.does'`);
      const next = await scrapeMetrics();
      assert.equal(readMetric(next, 'chartgate_jobs{kind="nobody.does",state="due"}'), undefined);
      assert.equal(readMetric(next, 'chartgate_jobs_oldest_due_seconds'), 0);
    });

    it('count what was not delivered, and say how long the oldest has been due at an active endpoint', async () => {
      const { db } = service.store;
      const { organizationId } = service.organization;
      const now = service.clock.now();
      const due = new Date(now.getTime() - 50 * SECOND);
      const [active, paused] = [generateId(), generateId()];
      await db.query(sql`
        insert into webhook (organization_id, webhook_id, url, description, event_types, status, status_since, created_at, changed_at)
        select ${organizationId}, id, 'https://hooks.example', '', '{}', status, ${now}, ${now}, ${now}
        from (values (${active}::uuid, 'active'), (${paused}::uuid, 'paused')) w(id, status)`);
      const states = ['delivered', 'dropped', 'exhausted', 'exhausted', 'pending', 'retrying'];
      await db.query(sql`
        insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, created_at, changed_at)
        select ${organizationId}, w.id, 'evt_' || n, s.state, w.due, ${now}, ${now}
        from (values (${active}::uuid, ${due}::timestamptz), (${paused}::uuid, ${due}::timestamptz - interval '1 hour')) w(id, due),
          unnest(${states}::text[]) with ordinality s(state, n)`);
      const text = await scrapeMetrics();
      assert.equal(readMetric(text, 'chartgate_webhook_deliveries{status="pending"}'), 2);
      assert.equal(readMetric(text, 'chartgate_webhook_deliveries{status="retrying"}'), 2);
      assert.equal(readMetric(text, 'chartgate_webhook_deliveries{status="exhausted"}'), 4);
      assert.equal(Math.floor((readMetric(text, 'chartgate_webhook_oldest_due_seconds') ?? 0) / 10), 5);
    });

    it('name nobody in a label', async () => {
      await newTestPatient(service);
      const labels = [...(await scrapeMetrics()).matchAll(/[{,](\w+)="([^"]*)"/g)];
      assert.ok(labels.length > 10);
      for (const [, name, value] of labels) assert.doesNotMatch(value ?? '', /[0-9a-f]{8}-|evt_|@/, name);
    });

    it('hold nothing back when the store does not answer', async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const registry = new Registry();
      const silent = { ...service.store.db, query: () => new Promise(() => {}) } as unknown as Db;
      for (const register of [registerJobMetrics, registerDeliveryGauges])
        register(registry, { db: silent, clock: service.clock });
      const text = registry.metrics();
      t.mock.timers.tick(2 * SECOND);
      assert.match(await text, /^# TYPE chartgate_jobs gauge$/m);
      const failing = { ...silent, query: () => Promise.reject(new Error('no connection')) } as Db;
      const another = new Registry();
      for (const register of [registerJobMetrics, registerDeliveryGauges])
        register(another, { db: failing, clock: service.clock });
      assert.doesNotMatch(await another.metrics(), /^chartgate/m);
    });
  });
}
