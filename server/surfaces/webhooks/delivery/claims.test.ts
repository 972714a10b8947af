import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestClock, type TestClock } from '../../../../test/harness/clock.ts';
import { ENGINES, openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import type { EventId, OrganizationId, ProjectId, WebhookId } from '../../../../contract/brands.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { one, type Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import * as statements from './claims.sql.ts';
import { generateEventId } from '../events/event-id.ts';

const LEASE_MS = 15_000;

for (const engine of ENGINES)
  describe(`claims of deliveries on ${engine}`, () => {
    let store: TestStore;
    let db: Db;
    let clock: TestClock;
    const organizationId = generateId<OrganizationId>();
    before(async () => ({ db } = store = await openTestStore(engine)));
    beforeEach(async () => {
      clock = createTestClock();
      await db.query(sql`truncate webhook, webhook_secret, webhook_event, webhook_delivery`);
    });
    after(() => store.remove());

    async function newWebhook(more: { status?: string; failing?: boolean } = {}): Promise<WebhookId> {
      const webhookId = generateId<WebhookId>();
      const now = clock.now();
      await db.query(sql`
        insert into webhook (organization_id, webhook_id, url, description, event_types, status, status_since, failing_since,
          created_at, changed_at)
        values (${organizationId}, ${webhookId}, 'https://hooks.example/', '', '{consent.withdrawn}',
          ${more.status ?? 'active'}, ${now}, ${more.failing ? now : null}, ${now}, ${now})`);
      return webhookId;
    }

    /** Inserts deliveries of as many events, each due a little after the one before; the last one is due now. */
    async function deliveries(webhookId: WebhookId, count: number): Promise<EventId[]> {
      const now = clock.now();
      const ids = Array.from({ length: count }, () => generateEventId(now));
      await db.query(sql`
        with event as (
          insert into webhook_event (organization_id, event_id, project_id, type, occurred_at, data)
          select ${organizationId}, id, ${generateId<ProjectId>()}, 'consent.withdrawn', ${now}, '{}'
          from unnest(${ids}::text[]) id)
        insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, created_at, changed_at)
        select ${organizationId}, ${webhookId}, id, 'pending', ${now}::timestamptz - (${count} - n) * interval '1 ms', ${now},
          ${now}
        from unnest(${ids}::text[]) with ordinality as i(id, n)`);
      return ids;
    }

    const claim = (more: Partial<statements.ClaimOptions> = {}) => {
      const now = clock.now();
      return db.query(
        statements.claimDeliveries({
          worker: generateId(),
          now,
          leaseUntil: new Date(now.getTime() + LEASE_MS),
          limit: 100,
          maxFailing: 50,
          processes: 1,
          known: { webhookIds: [], free: [] },
          unknown: { free: 4, freeFailing: 2 },
          ...more,
        }),
      );
    };
    const counts = (rows: readonly statements.ClaimedRow[]) =>
      Object.fromEntries(
        Map.groupBy(rows, (row) => row.webhook_id)
          .entries()
          .map(([id, of]) => [id, of.length]),
      );

    it('take a few of each endpoint, however long the backlog of one', async () => {
      const [crowded, other] = [await newWebhook(), await newWebhook()];
      await deliveries(crowded, 3000);
      await deliveries(other, 1);
      assert.deepEqual(counts(await claim()), { [crowded]: 4, [other]: 1 });
      assert.deepEqual(counts(await claim()), { [crowded]: 4 });
    });

    it('go round-robin when few workers are free', async () => {
      const ids = [await newWebhook(), await newWebhook(), await newWebhook()];
      for (const id of ids) await deliveries(id, 10);
      assert.deepEqual(counts(await claim({ limit: 3 })), Object.fromEntries(ids.map((id) => [id, 1])));
    });

    it('take as many as the node permits of known endpoints, the oldest first', async () => {
      const [fast, slow] = [await newWebhook(), await newWebhook()];
      const waiting = await deliveries(fast, 40);
      await deliveries(slow, 40);
      const rows = await claim({ known: { webhookIds: [fast, slow], free: [30, 0] } });
      assert.deepEqual(counts(rows), { [fast]: 30 });
      assert.deepEqual(new Set(rows.map((row) => row.event_id)), new Set(waiting.slice(0, 30)));
    });

    it('leave the workers that are reserved for healthy endpoints to them', async () => {
      const failing = await Promise.all(Array.from({ length: 6 }, () => newWebhook({ failing: true })));
      for (const id of failing) await deliveries(id, 10);
      const well = await newWebhook();
      await deliveries(well, 3);
      const rows = await claim({ limit: 8, maxFailing: 5 });
      assert.equal(counts(rows)[well], 3);
      assert.equal(rows.filter((row) => row.failing).length, 5);
      assert.ok(Math.max(...Object.values(counts(await claim()))) <= 2);
    });

    for (const status of ['paused', 'suspended'])
      it(`take nothing of a webhook that is ${status}, whose deliveries are not due`, async () => {
        await deliveries(await newWebhook({ status }), 2);
        assert.deepEqual(await claim(), []);
        const { due } = await one(
          db,
          sql<{ due: boolean }>`select ${statements.hasDueDeliveries(clock.now())} as due`,
        );
        assert.equal(due, false);
      });

    it('take a delivery only when it is due', async () => {
      const webhookId = await newWebhook();
      await deliveries(webhookId, 1);
      await db.query(sql`update webhook_delivery set due_at = due_at + interval '5 s'`);
      const due = async (): Promise<boolean> =>
        (await one(db, sql<{ due: boolean }>`select ${statements.hasDueDeliveries(clock.now())} as due`)).due;
      assert.deepEqual([await due(), (await claim()).length], [false, 0]);
      clock.advance(5000);
      assert.deepEqual([await due(), (await claim()).length], [true, 1]);
    });

    it('exclude other nodes until the lease expires, which a heartbeat extends', async () => {
      await deliveries(await newWebhook(), 2);
      const worker = generateId();
      const rows = await claim({ worker });
      assert.equal(rows.length, 2);
      clock.advance(LEASE_MS - 1000);
      assert.equal((await claim()).length, 0);
      await db.query(
        statements.extendLeases(
          { worker, deliveries: rows.slice(0, 1) },
          new Date(clock.now().getTime() + 5000),
        ),
      );
      clock.advance(1000);
      const [again, ...more] = await claim();
      assert.deepEqual([again?.event_id, again?.claims, more.length], [rows[1]?.event_id, 2, 0]);
      // A node that lost its lease extends nothing.
      await db.query(statements.extendLeases({ worker, deliveries: rows }, new Date(8.64e15 / 2)));
      clock.advance(LEASE_MS);
      assert.equal((await claim()).length, 1);
    });

    it('give a delivery to one of several nodes that claim at once', async () => {
      const ids = await Promise.all(Array.from({ length: 5 }, () => newWebhook()));
      for (const id of ids) await deliveries(id, 20);
      const all: string[] = [];
      for (let round = 0; round < 12; round++)
        for (const rows of await Promise.all(Array.from({ length: 4 }, () => claim({ limit: 7 }))))
          all.push(...rows.map((row) => row.webhook_id + row.event_id));
      assert.equal(new Set(all).size, all.length);
      while (all.length < 100) all.push(...(await claim()).map((row) => row.webhook_id + row.event_id));
      assert.equal(new Set(all).size, 100);
    });

    it('include every live secret, the newest first', async () => {
      const webhookId = await newWebhook();
      const at = (ms: number): Date => new Date(clock.now().getTime() + ms);
      for (const [secret, created, expires] of [
        ['old', -3000, 60_000],
        ['ended', -2000, 0],
        ['new', -1000, null],
      ] as const)
        await db.query(sql`
          insert into webhook_secret (organization_id, webhook_id, secret, created_at, expires_at)
          values (${organizationId}, ${webhookId}, ${secret}, ${at(created)}, ${expires === null ? null : at(expires)})`);
      await deliveries(webhookId, 1);
      assert.deepEqual(
        (await claim()).map((row) => row.secrets),
        [['new', 'old']],
      );
    });
  });
