import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { OrganizationId } from '../../contract/brands.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { subtractMonths } from '../../server/platform/db/months.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { eventIdFromTime } from '../../server/surfaces/webhooks/events/event-id.ts';
import { pruneWebhookHistory } from '../../server/surfaces/webhooks/maintenance/prune-history.ts';
import {
  call,
  getOrganizationToken,
  newOrganization,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

const DAY = 24 * 3600 * 1000;
const KEPT_MONTHS = 3;

/** The states of the deliveries, in rotation. */
const STATES = ['delivered', 'dropped', 'exhausted', 'pending', 'retrying'];

for (const engine of JOURNEY_ENGINES) {
  describe(`the history of webhooks on ${engine}`, () => {
    let service: TestService;
    let organizationId: OrganizationId;
    before(async () => {
      const environment = { CHARTGATE_EVENT_RETENTION_MONTHS: String(KEPT_MONTHS) };
      service = await startTestService({ engine, environment });
    });
    after(() => service.stop());
    beforeEach(async () => {
      ({ organizationId } = await newOrganization(service));
    });

    async function newWebhook(): Promise<string> {
      const webhookId = generateId<string>();
      const now = service.clock.now();
      await service.store.db.query(sql`
        insert into webhook (organization_id, webhook_id, url, description, event_types, status, status_since, created_at, changed_at)
        values (${organizationId}, ${webhookId}, 'https://hooks.example', '', '{}', 'paused', ${now}, ${now}, ${now})`);
      return webhookId;
    }

    /** Inserts events emitted so many days ago, each with a delivery to each webhook and an attempt, the states in rotation. */
    async function insertEvents(
      count: number,
      { daysAgo, webhooks, states = STATES }: { daysAgo: number; webhooks: string[]; states?: string[] },
    ): Promise<void> {
      const at = new Date(service.clock.now().getTime() - daysAgo * DAY);
      const prefix = eventIdFromTime(at).slice(0, 14);
      const { db } = service.store;
      await db.query(sql`
        insert into webhook_event (organization_id, event_id, project_id, patient_id, type, occurred_at, data)
        select ${organizationId}, ${prefix}::text || lpad(n::text, 16, '0'), ${generateId<string>()}, null, 'webhook.test', ${at}, '{}'
        from generate_series(1, ${count}) n`);
      await db.query(sql`
        insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, created_at, changed_at)
        select ${organizationId}, w, ${prefix}::text || lpad(n::text, 16, '0'),
          (${states}::text[])[1 + n % cardinality(${states}::text[])], ${at}, ${at}, ${at}
        from generate_series(1, ${count}) n, unnest(${webhooks}::uuid[]) w`);
      await db.query(sql`
        insert into webhook_attempt (organization_id, webhook_id, event_id, attempt_id, delivery_attempt, attempted_at, duration_ms, url)
        select ${organizationId}, webhook_id, event_id, gen_random_uuid(), 1, ${at}, 1, 'https://hooks.example'
        from webhook_delivery where organization_id = ${organizationId} and event_id like ${`${prefix}%`}`);
    }

    const prune = (keptMonths = KEPT_MONTHS): Promise<void> =>
      pruneWebhookHistory(
        { db: service.store.db, clock: service.clock },
        keptMonths,
        new AbortController().signal,
      );

    /** Counts the remaining events, deliveries and attempts. */
    const countLeft = async (): Promise<[number, number, number]> => {
      const [row] = await service.store.db.query(sql<{
        events: number;
        deliveries: number;
        attempts: number;
      }>`
        select (select count(*) from webhook_event where organization_id = ${organizationId}) as events,
          (select count(*) from webhook_delivery where organization_id = ${organizationId}) as deliveries,
          (select count(*) from webhook_attempt where organization_id = ${organizationId}) as attempts`);
      return row ? [row.events, row.deliveries, row.attempts] : assert.fail();
    };

    it('is deleted after the months that an operator says by the hourly timer, younger events stay', async () => {
      const now = service.clock.now();
      const keptDays = Math.round((now.getTime() - subtractMonths(now, KEPT_MONTHS).getTime()) / DAY);
      const webhooks = [await newWebhook(), await newWebhook()];
      const states = ['delivered', 'dropped', 'exhausted'];
      await insertEvents(6, { daysAgo: keptDays + 1, webhooks, states });
      await insertEvents(3, { daysAgo: keptDays - 1, webhooks, states });
      await service.worker.enqueueRecurringJobs();
      service.clock.advance(3600 * 1000 + 1);
      await service.worker.drain();
      assert.deepEqual(await countLeft(), [3, 6, 6]);
      service.clock.advance(DAY);
      await service.worker.drain();
      assert.deepEqual(await countLeft(), [0, 0, 0]);
    });

    it('is kept for the months that an operator says', async () => {
      const webhooks = [await newWebhook()];
      await insertEvents(2, { daysAgo: 200, webhooks, states: ['delivered'] });
      for (const [keptMonths, left] of [
        [7, 2],
        [6, 0],
      ] as const) {
        await prune(keptMonths);
        assert.deepEqual(await countLeft(), [left, left, left]);
      }
    });

    it('keeps deliveries still to be sent, with attempts and event, however old', async () => {
      const [open, settled] = [await newWebhook(), await newWebhook()];
      await insertEvents(5, { daysAgo: 200, webhooks: [open] });
      await insertEvents(1, { daysAgo: 150, webhooks: [open], states: ['retrying'] });
      await service.store.db.query(sql`
        insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, created_at, changed_at)
        select organization_id, ${settled}, event_id, 'delivered', due_at, created_at, changed_at
        from webhook_delivery where webhook_id = ${open}`);
      await prune();
      assert.deepEqual(await countLeft(), [3, 3, 3]);
      const states = await service.store.db.query(sql<{ state: string }>`
        select state from webhook_delivery where organization_id = ${organizationId} order by state`);
      assert.deepEqual(
        states.map(({ state }) => state),
        ['pending', 'retrying', 'retrying'],
      );
    });

    it('is deleted completely when it is long and its oldest delivery stays', async () => {
      const webhooks = [await newWebhook()];
      await insertEvents(2100, { daysAgo: 300, webhooks, states: ['pending'] });
      await insertEvents(2100, { daysAgo: 200, webhooks, states: ['delivered'] });
      await insertEvents(1, { daysAgo: 1, webhooks, states: ['delivered'] });
      await prune();
      assert.deepEqual(await countLeft(), [2101, 2101, 2101]);
    });

    it('is deleted for deleted webhooks, whatever the state of the deliveries', async () => {
      const gone = generateId<string>();
      await insertEvents(5, { daysAgo: 200, webhooks: [gone] });
      await service.store.db.query(sql`
        delete from webhook_delivery where organization_id = ${organizationId} and state = 'delivered'`);
      await prune();
      assert.deepEqual(await countLeft(), [0, 0, 0]);
    });

    it('is pruned for each organization separately, and stops between two chunks', async () => {
      const webhooks = [await newWebhook()];
      await insertEvents(3, { daysAgo: 200, webhooks, states: ['delivered'] });
      const stop = AbortSignal.abort(new Error('the process is stopping'));
      await assert.rejects(
        pruneWebhookHistory({ db: service.store.db, clock: service.clock }, KEPT_MONTHS, stop),
        /stopping/,
      );
      assert.deepEqual(await countLeft(), [3, 3, 3]);
      await prune();
      assert.deepEqual(await countLeft(), [0, 0, 0]);
    });
  });
}

describe('the history of webhooks where no operator says for how long', () => {
  let service: TestService;
  before(async () => void (service = await startTestService()));
  after(() => service.stop());

  it('is kept for good: what nobody acknowledged years ago is listed, and replayed', async () => {
    const { organizationId } = service.organization;
    const { db } = service.store;
    const now = service.clock.now();
    const at = new Date(now.getTime() - 1500 * DAY);
    const [webhookId, eventId] = [
      generateId<string>(),
      `${eventIdFromTime(at).slice(0, 14)}${'0'.repeat(16)}`,
    ];
    await db.query(sql`
      insert into webhook (organization_id, webhook_id, url, description, event_types, status, status_since, created_at, changed_at)
      values (${organizationId}, ${webhookId}, 'https://hooks.example', '', '{}', 'active', ${now}, ${at}, ${at})`);
    await db.query(sql`
      insert into webhook_event (organization_id, event_id, project_id, patient_id, type, occurred_at, data)
      values (${organizationId}, ${eventId}, ${generateId<string>()}, null, 'records.updated', ${at}, '{}')`);
    await db.query(sql`
      insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, created_at, changed_at)
      values (${organizationId}, ${webhookId}, ${eventId}, 'exhausted', ${at}, ${at}, ${at})`);
    await service.worker.enqueueRecurringJobs();
    service.clock.advance(2 * 3600 * 1000);
    await service.worker.drain();

    const token = await getOrganizationToken(service);
    const base = `/v1/organizations/${organizationId}`;
    const since = at.toISOString();
    const { body: listed } = await call(service, `${base}/webhook-events?since=${since}`, { token });
    assert.deepEqual(
      (listed.results as { id: string }[]).map(({ id }) => id),
      [eventId],
    );
    const { body: replay } = await call(service, `${base}/webhooks/${webhookId}/replay`, {
      token,
      json: { since, until: now.toISOString(), dryRun: true },
    });
    assert.equal(replay.count, 1);
  });
});
