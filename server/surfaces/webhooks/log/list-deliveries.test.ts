import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  EventId,
  OrganizationId,
  PatientId,
  ProjectId,
  WebhookId,
} from '../../../../contract/brands.ts';
import type { EventType } from '../../../../contract/webhooks/webhook-events.ts';
import { ENGINES, openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import type { Db } from '../../../platform/db/db.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { eventIdFromTime, MAX_EVENT_ID, MIN_EVENT_ID } from '../events/event-id.ts';
import type { DeliveryFilter } from './deliveries.sql.ts';
import { listDeliveries } from './list-deliveries.ts';

/** More than what is looked at of one filter before another leads, in each of two months. */
const EVENTS = 2400;
const MINUTE_MS = 60_000;

const organizationId = generateId<OrganizationId>();
const [webhookId, otherId] = [generateId<WebhookId>(), generateId<WebhookId>()];
const projects = [generateId<ProjectId>(), generateId<ProjectId>()] as const;
const patientId = generateId<PatientId>();
const now = new Date();
/** Months have partitions of their own, those to come too. */
const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);

interface Event {
  id: EventId;
  type: EventType;
  projectId: ProjectId;
  patientId: PatientId | null;
  state: 'delivered' | 'exhausted';
  /** What each attempt came to. */
  answers: ('2xx' | '5xx' | 'tls_failed')[];
}

function makeEvent(n: number): Event {
  const isExhausted = n % 9 === 0;
  // Nothing but acknowledgements; two failures and none; a failure and one.
  const answers: Event['answers'] = n % 7 === 0 ? ['2xx'] : ['5xx', isExhausted ? '5xx' : '2xx'];
  if (n % 600 === 3) answers.unshift('tls_failed');
  return {
    id: eventIdFromTime(new Date(nextMonth + (n - EVENTS / 2) * MINUTE_MS)),
    type: n % 400 === 5 ? 'webhook.test' : n % 3 === 0 ? 'consent.granted' : 'consent.withdrawn',
    projectId: projects[n % 50 === 1 ? 1 : 0],
    patientId: n % 300 === 2 ? patientId : null,
    state: isExhausted ? 'exhausted' : 'delivered',
    answers,
  };
}

const events = Array.from({ length: EVENTS }, (_event, n) => makeEvent(n));

async function insertEvents({ db }: TestStore): Promise<void> {
  const rows = JSON.stringify(events);
  const columns = sql`json_to_recordset(${rows}::json) as r(id text, type text, "projectId" uuid, "patientId" uuid, state text, answers json)`;
  await db.query(sql`
    insert into webhook_event (organization_id, event_id, project_id, patient_id, type, occurred_at, data)
    select ${organizationId}, id, "projectId", "patientId", type, now(), '{}' from ${columns}`);
  // The other one acknowledged everything at once.
  for (const webhook of [webhookId, otherId]) {
    await db.query(sql`
      insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, created_at, changed_at)
      select ${organizationId}, ${webhook}, id, state, now(), now(), now() from ${columns}`);
    await db.query(sql`
      insert into webhook_attempt (organization_id, webhook_id, event_id, attempt_id, delivery_attempt, attempted_at,
        duration_ms, url, fault, status)
      select ${organizationId}, ${webhook}, id, gen_random_uuid(), 1, now(), 1, 'https://receiver.example/hook',
        case answer when '5xx' then 'status' when 'tls_failed' then answer end,
        case answer when '5xx' then 503 when '2xx' then 204 end
      from ${columns} cross join lateral json_array_elements_text(answers) a(answer)
      where ${webhook}::uuid = ${webhookId}::uuid or answer = '2xx'`);
  }
  for (const table of ['webhook_event', 'webhook_delivery', 'webhook_attempt'])
    await db.query(raw(`analyze ${table}`));
}

const isListed = (event: Event, { answer, status, type, ...filter }: DeliveryFilter): boolean =>
  (answer === undefined || event.answers.some((one) => answer.includes(one))) &&
  (status?.includes(event.state) ?? true) &&
  (type?.includes(event.type) ?? true) &&
  (filter.projectId === undefined || filter.projectId === event.projectId) &&
  (filter.patientId === undefined || filter.patientId === event.patientId);

/** Each of the filters of a list with each of the others. */
function combineFilters(): DeliveryFilter[] {
  const choices = [
    [
      {},
      ...([['5xx'], ['2xx'], ['tls_failed'], ['tls_failed', '5xx'], ['2xx', 'tls_failed']] as const).map(
        (answer) => ({ answer }),
      ),
    ],
    [{}, { status: ['exhausted'] as const }],
    [{}, { type: ['webhook.test'] as const }, { type: ['webhook.test', 'consent.granted'] as const }],
    [{}, { projectId: projects[1] }, { patientId }],
  ];
  return choices.reduce<DeliveryFilter[]>(
    (filters, choice) => filters.flatMap((filter) => choice.map((more) => ({ ...filter, ...more }))),
    [{}],
  );
}

for (const engine of ENGINES)
  describe(`a list of deliveries (${engine})`, () => {
    let store: TestStore;
    before(async () => {
      store = await openTestStore(engine);
      await insertEvents(store);
    });
    after(() => store.remove());

    interface Ask {
      from?: EventId;
      before?: EventId;
      limit?: number;
      projectIds?: ProjectId[] | null;
    }
    async function list(
      filter: DeliveryFilter,
      { projectIds = null, from = MIN_EVENT_ID, before: end = MAX_EVENT_ID, limit = 1001 }: Ask = {},
    ): Promise<EventId[]> {
      const page = { ...filter, from, before: end, limit, reach: { projectIds } };
      const rows = await listDeliveries(store.db, { organizationId, webhookId }, page);
      return rows.map(({ event_id }) => event_id);
    }
    const expect = (filter: DeliveryFilter): EventId[] =>
      events
        .filter((event) => isListed(event, filter))
        .map(({ id }) => id)
        .reverse();

    it('is what all its filters find together, newest first, page after page', async () => {
      for (const filter of combineFilters()) {
        const found: EventId[] = [];
        for (;;) {
          const page = await list(filter, { before: found.at(-1) ?? MAX_EVENT_ID, limit: 400 });
          found.push(...page);
          if (page.length < 400) break;
        }
        assert.deepEqual(found, expect(filter), JSON.stringify(filter));
      }
    });

    it('reads none of the attempts of a webhook that never acknowledged, to find acknowledgements', async () => {
      const failing = generateId<WebhookId>();
      await store.db.tx(async (tx) => {
        await tx.query(sql`
          insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, created_at, changed_at)
          select organization_id, ${failing}::uuid, event_id, 'exhausted', now(), now(), now() from webhook_event
          where organization_id = ${organizationId}`);
        await tx.query(sql`
          insert into webhook_attempt (organization_id, webhook_id, event_id, attempt_id, delivery_attempt, attempted_at,
            duration_ms, url, fault, status)
          select organization_id, ${failing}::uuid, event_id, gen_random_uuid(), 1, now(), 1,
            'https://receiver.example/hook', 'status', 503 from webhook_event where organization_id = ${organizationId}`);
      });
      const of = { organizationId, webhookId: failing };
      const page = { from: MIN_EVENT_ID, before: MAX_EVENT_ID, limit: 51, reach: { projectIds: null } };
      for (const filter of [{}, { status: ['exhausted'] as const }, { patientId }]) {
        const asked: Sql[] = [];
        const query: Db['query'] = (statement) => {
          asked.push(statement);
          return store.db.query(statement);
        };
        const found = await listDeliveries({ ...store.db, query }, of, {
          ...page,
          ...filter,
          answer: ['2xx'],
        });
        assert.deepEqual(found, []);
        assert.ok(
          asked.length > 0 && asked.every(({ text }) => text.includes('newest_of_answers')),
          'by the index',
        );
      }
      const plan = await store.db.tx(async (tx) => {
        await tx.query(raw('set local enable_sort = off'));
        await tx.query(raw('set local enable_seqscan = off'));
        await tx.query(raw('set local enable_bitmapscan = off'));
        await tx.query(raw('set local enable_hashagg = off'));
        return JSON.stringify(
          await tx.query(sql`
            explain (analyze, timing off) select distinct a.event_id from webhook_attempt a
            where a.organization_id = ${organizationId} and a.webhook_id = ${failing} and a.fault is null
              and a.event_id >= ${MIN_EVENT_ID} and a.event_id < ${MAX_EVENT_ID} order by a.event_id desc limit 51`),
        );
      });
      assert.match(plan, /webhook_id_event_id_idx/, plan);
      assert.doesNotMatch(plan, /Rows Removed/, plan);
    });

    it('has what lies between two times, and of the projects that the caller may see', async () => {
      const [from, end] = [events[700]?.id, events[1900]?.id] as [EventId, EventId];
      const filters: DeliveryFilter[] = [
        {},
        { answer: ['5xx'] },
        { answer: ['5xx'], type: ['consent.granted'] },
      ];
      for (const filter of filters) {
        const all = expect(filter).filter((id) => id >= from && id < end);
        assert.deepEqual(await list(filter, { from, before: end, limit: 30 }), all.slice(0, 30));
        assert.deepEqual(await list(filter, { from, before: end }), all.slice(0, 1001));
        const visible = expect({ ...filter, projectId: projects[1] });
        assert.deepEqual(await list(filter, { projectIds: [projects[1]] }), visible);
        assert.deepEqual(
          await list({ ...filter, projectId: projects[0] }, { projectIds: [projects[1]] }),
          [],
        );
        assert.deepEqual(await list(filter, { projectIds: [] }), []);
      }
    });
  });
