import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventId, OrganizationId, WebhookId, WebhookReplayId } from '../../../../contract/brands.ts';
import { one, type Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import { MAX_EVENT_ID, MIN_EVENT_ID } from '../events/event-id.ts';
import { replayBatch } from './replays.sql.ts';

const WEBHOOK = {
  organizationId: '00000000-0000-4000-8000-000000000001' as OrganizationId,
  webhookId: '00000000-0000-4000-8000-000000000002' as WebhookId,
  replayId: '00000000-0000-4000-8000-000000000004' as WebhookReplayId,
};
const NOW = new Date('2026-11-20T09:30:00Z');
const buildEventId = (n: number): EventId => `evt_0${String(n).padStart(25, '0')}` as EventId;

describe('a replay in batches', () => {
  let store: TestStore;
  let db: Db;
  before(async () => ({ db } = store = await openTestStore()));
  after(() => store.remove());

  const insert = (n: number, state: string, leasedBy: string | null = null): Promise<unknown> =>
    db.query(sql`
      insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, leased_by, created_at, changed_at)
      values (${WEBHOOK.organizationId}, ${WEBHOOK.webhookId}, ${buildEventId(n)}, ${state}, ${NOW}, ${leasedBy}, ${NOW}, ${NOW})`);

  it('resets each delivery once, in order, even one that returns to that state', async () => {
    for (const n of [1, 2, 3, 4, 5]) await insert(n, 'exhausted');
    await insert(6, 'delivered');
    await insert(7, 'exhausted', '00000000-0000-4000-8000-000000000003');
    const range = { status: 'exhausted', since: MIN_EVENT_ID, until: MAX_EVENT_ID } as const;
    const batches: { changed: number; last: EventId | null }[] = [];
    for (let after: EventId | null = MIN_EVENT_ID; after !== null;) {
      const batch: { changed: number; last: EventId | null } = await one(
        db,
        replayBatch(WEBHOOK, range, { after, limit: 2, now: NOW }),
      );
      batches.push(batch);
      after = batch.last;
      await db.query(sql`update webhook_delivery set state = 'exhausted' where state = 'pending'`);
    }
    assert.deepEqual(batches, [
      { changed: 2, last: buildEventId(2) },
      { changed: 2, last: buildEventId(4) },
      { changed: 1, last: buildEventId(5) },
      { changed: 0, last: null },
    ]);
  });
});
