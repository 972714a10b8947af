import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrganizationId, PatientId, ProjectId } from '../../../../contract/brands.ts';
import type { EventType } from '../../../../contract/webhooks/webhook-events.ts';
import { openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import { sql } from '../../../platform/db/sql.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { createEmitter } from './create-emitter.ts';

describe('an event in the outbox', () => {
  const organizationId = generateId<OrganizationId>();
  const [projectId, otherProjectId] = [generateId<ProjectId>(), generateId<ProjectId>()];
  let store: TestStore;
  before(async () => {
    store = await openTestStore('postgresql');
    await store.db.query(sql`
      insert into webhook (organization_id, webhook_id, url, description, event_types, project_ids, status, status_since,
        created_at, changed_at)
      values (${organizationId}, ${generateId()}, 'https://hooks.example/', '', '{consent.withdrawn}', ${[projectId]}, 'active',
        now(), now(), now())`);
  });
  after(() => store.remove());

  /** Emits an event; returns how often delivery was woken once it was committed, or rolled back. */
  async function countWakes(
    type: EventType,
    project: ProjectId,
    { fails = false, occurredAt = new Date() } = {},
  ): Promise<number> {
    let wakes = 0;
    const emit = createEmitter(() => void wakes++);
    const emitted = store.db.tx(async (tx) => {
      await emit(tx, {
        organizationId,
        projectId: project,
        patientId: generateId<PatientId>(),
        type,
        occurredAt,
        data: {},
      });
      assert.equal(wakes, 0, 'nothing is there to deliver before the commit');
      if (fails) throw new Error('rolled back');
    });
    if (fails) await assert.rejects(emitted, /rolled back/);
    else await emitted;
    return wakes;
  }

  it('wakes delivery after its commit where a webhook matches, and only there', async () => {
    assert.equal(await countWakes('consent.withdrawn', projectId), 1);
    assert.equal(await countWakes('consent.granted', projectId), 0);
    assert.equal(await countWakes('consent.withdrawn', otherProjectId), 0);
    assert.equal(await countWakes('consent.withdrawn', projectId, { fails: true }), 0);
  });

  it('is due by the clock of the store where that of the node is ahead', async () => {
    const occurredAt = new Date(Date.now() + 365 * 86_400_000);
    assert.equal(await countWakes('consent.withdrawn', projectId, { occurredAt }), 1);
    const [latest] = await store.db.query(
      sql<{ seconds: number }>`
        select max(extract(epoch from due_at - statement_timestamp()))::float as seconds from webhook_delivery`,
    );
    assert.ok(latest !== undefined && latest.seconds <= 2, String(latest?.seconds));
  });
});
