import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { EventId } from '../../contract/brands.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { eventIdFromTime, MIN_EVENT_ID } from '../../server/surfaces/webhooks/events/event-id.ts';
import { replayBatch, takeBackBatch } from '../../server/surfaces/webhooks/log/replays.sql.ts';
import {
  call,
  decide,
  newOrganization,
  newProject,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';
import { listAuditEntries, emitEvents, createWebhookApi, type WebhookApi } from '../harness/webhooks.ts';

const RETRY_SECONDS = 60;

/** A due time so late that no node claims the delivery during the test. */
const LATER_MS = 60_000;

let receiver: WebhookReceiver;
let service: TestService;
let webhooks: WebhookApi;
/** The path of each test's webhook, below the organization's webhooks. */
let webhook: string;
let secret: string;

before(async () => {
  receiver = await startWebhookReceiver();
  const environment = { CHARTGATE_WEBHOOK_RETRY_DELAYS: `${RETRY_SECONDS},${RETRY_SECONDS}` };
  service = await startTestService({ webhookOutbound: receiver.outboundClient, environment });
  receiver.now = () => service.clock.now();
  webhooks = await createWebhookApi(service);
});
after(async () => {
  await service.stop();
  await receiver.stop();
});
beforeEach(async () => {
  Object.assign(receiver, { received: [], respond: () => ({ status: 204 }) });
  const { body } = await webhooks.send('');
  for (const { id } of body.results) await webhooks.send(`/${id}`, { method: 'DELETE' });
  const registered = await webhooks.createWebhook(receiver.url());
  webhook = `/${registered.id}`;
  ({ secret } = registered);
});

const drain = (): Promise<void> => service.worker.drain();

async function retry(): Promise<void> {
  service.clock.advance(2 * RETRY_SECONDS * 1000);
  await drain();
}

const listDeliveries = async (query = ''): Promise<HttpResponse['body']> =>
  (await webhooks.send(`${webhook}/deliveries${query}`)).body;

const getDelivery = async (id: string): Promise<HttpResponse['body']> =>
  (await webhooks.send(`${webhook}/deliveries/${id}`)).body;

const listStatuses = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await listDeliveries()).results.map(({ id, status }: { id: string; status: string }) => [id, status]),
  );

const listSent = (): string[] => receiver.received.map(({ headers }) => String(headers['webhook-id'])).sort();

const getIds = ({ results }: { results: { id: string }[] }): string[] => results.map(({ id }) => id);

/** The second after that of events emitted now. */
function advanceToNextSecond(): string {
  service.clock.advance(2000);
  return new Date(Math.floor(service.clock.now().getTime() / 1000) * 1000).toISOString();
}

const replay = async (json: object): Promise<number> => {
  const { status, body } = await webhooks.post(`${webhook}/replay`, json);
  assert.equal(status, 200, JSON.stringify(body));
  return body.count as number;
};

describe('the delivery log', () => {
  it('shows the request and each attempt with its answer', async () => {
    receiver.respond = () => ({ status: 503, headers: { 'retry-after': '1' }, body: 'in maintenance' });
    const patient = await newTestPatient(service);
    await decide(service, patient, 'OPTED_OUT');
    await receiver.waitForRequests(1);
    await drain();
    const [listed] = (await listDeliveries()).results;
    assert.deepEqual([listed.status, listed.attempts, listed.type], ['retrying', 1, 'consent.withdrawn']);
    assert.deepEqual([listed.deliveredAt, listed.reason], [null, null]);
    assert.ok(listed.nextAttemptAt > listed.changedAt);
    receiver.respond = () => ({ status: 200, body: 'x'.repeat(5000) });
    await retry();
    const { request, attemptLog, ...delivery } = await getDelivery(listed.id as string);
    assert.deepEqual([delivery.status, delivery.attempts, delivery.nextAttemptAt], ['delivered', 2, null]);
    assert.equal(delivery.deliveredAt, delivery.changedAt);
    const last = receiver.received.at(-1);
    assert.ok(last);
    assert.deepEqual(request, {
      method: 'POST',
      url: receiver.url(),
      headers: { 'content-type': 'application/json', 'webhook-id': listed.id },
      body: last.body,
    });
    assert.deepEqual(receiver.verify(secret, last), last.json);
    const [second, first] = attemptLog;
    assert.deepEqual([first.deliveryAttempt, first.delivered, first.fault], [1, false, 'status']);
    assert.equal(first.response.body, 'in maintenance');
    assert.equal(first.response.headers['retry-after'], '1');
    assert.deepEqual([second.deliveryAttempt, second.delivered, second.message], [2, true, null]);
    assert.deepEqual([second.response.body.length, second.response.truncated], [4096, true]);
  });

  it('shows the request before the first attempt', async () => {
    const [id = ''] = await emitEvents(service, 1, { delayMs: LATER_MS });
    const { request, attemptLog, status, nextAttemptAt, timestamp } = await getDelivery(id);
    assert.deepEqual([status, attemptLog, nextAttemptAt], ['pending', [], timestamp]);
    assert.equal(JSON.parse(request.body as string).deliveryAttempt, 1);
    service.clock.advance(LATER_MS);
    await drain();
    assert.equal(receiver.received[0]?.body, request.body);
  });

  it('lists deliveries from the newest back, page by page, filtered by status', async () => {
    const ids: string[] = (await emitEvents(service, 5, { delayMs: LATER_MS })).reverse();
    await webhooks.post(`${webhook}/pause`);
    service.clock.advance(LATER_MS);
    const dropped: string[] = (await emitEvents(service, 3)).reverse();
    const all = [...dropped, ...ids];
    assert.deepEqual(getIds(await listDeliveries()), all);
    const pages: string[][] = [];
    for (let next: string | null = ''; next !== null;) {
      const page: HttpResponse['body'] = await listDeliveries(`?limit=3${next && `&before=${next}`}`);
      pages.push(getIds(page));
      next = page.next;
    }
    assert.deepEqual(pages, [all.slice(0, 3), all.slice(3, 6), all.slice(6)]);
    assert.deepEqual(getIds(await listDeliveries('?status=dropped&limit=2')), dropped.slice(0, 2));
    assert.deepEqual(getIds(await listDeliveries(`?status=dropped&before=${dropped[1]}`)), dropped.slice(2));
    assert.deepEqual(await listDeliveries('?status=delivered'), { results: [], next: null });
    assert.deepEqual(getIds(await listDeliveries('?status=pending,dropped&limit=4')), all.slice(0, 4));
    const [type] = (await listDeliveries('?limit=1')).results.map((each: { type: string }) => each.type);
    assert.deepEqual(getIds(await listDeliveries(`?type=webhook.test,${type}`)), all);
    assert.deepEqual(getIds(await listDeliveries('?type=webhook.test,records.updated')), []);
    assert.equal((await webhooks.send(`${webhook}/deliveries?status=pending,lost`)).status, 400);
    const { pending, dropped: lost } = (await webhooks.send(webhook)).body.deliveries;
    assert.deepEqual([pending, lost], [5, 3]);
    assert.equal((await webhooks.send(`${webhook}/deliveries?before=evt_x`)).status, 400);
    assert.equal((await webhooks.send(`${webhook}/deliveries/evt_${'0'.repeat(26)}`)).status, 404);
  });
});

describe('redelivery', () => {
  it('restarts an exhausted delivery under the same id', async () => {
    receiver.respond = () => ({ status: 500 });
    const [id = ''] = await emitEvents(service, 1);
    await drain();
    await retry();
    await retry();
    const { status, reason, attempts } = await getDelivery(id);
    assert.deepEqual([status, reason, attempts], ['exhausted', 'retries_used_up', 3]);
    receiver.respond = () => ({ status: 204 });
    const { status: accepted, body } = await webhooks.post(`${webhook}/deliveries/${id}/redeliver`);
    assert.equal(accepted, 202);
    assert.deepEqual([body.status, body.reason, body.attempts, body.formerAttempts], ['pending', null, 0, 3]);
    await drain();
    assert.deepEqual((await getDelivery(id)).status, 'delivered');
    assert.deepEqual(
      receiver.received.map(({ json }) => json.deliveryAttempt),
      [1, 2, 3, 1],
    );
    assert.deepEqual(new Set(listSent()), new Set([id]));
    const entry = (await listAuditEntries(service, webhook.slice(1) as never)).at(-1);
    assert.equal(entry?.action, 'webhook.redelivered');
    assert.equal(JSON.parse(entry.detail).was, 'exhausted');
  });

  it('makes the next attempt of a retrying delivery at once', async () => {
    receiver.respond = () => ({ status: 500 });
    const [id = ''] = await emitEvents(service, 1);
    await drain();
    await drain();
    assert.equal(receiver.received.length, 1);
    assert.equal((await webhooks.post(`${webhook}/deliveries/${id}/redeliver`)).body.attempts, 1);
    await drain();
    assert.deepEqual(
      receiver.received.map(({ json }) => json.deliveryAttempt),
      [1, 2],
    );
  });

  it('sends a delivered one again', async () => {
    const [id = ''] = await emitEvents(service, 1);
    await drain();
    await webhooks.post(`${webhook}/deliveries/${id}/redeliver`);
    await drain();
    assert.deepEqual(listSent(), [id, id]);
    const again = await getDelivery(id);
    assert.deepEqual([again.attemptLog.length, again.attempts, again.formerAttempts], [2, 1, 1]);
  });

  it('leaves a delivery under way as it is', async () => {
    const gate = Promise.withResolvers<void>();
    receiver.respond = async () => (await gate.promise, { status: 204 });
    const [id = ''] = await emitEvents(service, 1);
    const drained = drain();
    await receiver.waitForRequests(1);
    const { status, body } = await webhooks.post(`${webhook}/deliveries/${id}/redeliver`);
    assert.deepEqual([status, body.status], [202, 'pending']);
    gate.resolve();
    await drained;
    await drain();
    assert.deepEqual([listSent(), (await getDelivery(id)).status], [[id], 'delivered']);
    const actions = (await listAuditEntries(service, webhook.slice(1) as never)).map(({ action }) => action);
    assert.deepEqual(actions, ['webhook.created']);
  });

  it('refuses a paused webhook', async () => {
    const [id = ''] = await emitEvents(service, 1);
    await drain();
    await webhooks.post(`${webhook}/pause`);
    for (const [path, json] of [
      [`/deliveries/${id}/redeliver`, undefined],
      ['/replay', { since: '2026-01-01T00:00:00Z' }],
    ] as const) {
      const { status, body } = await webhooks.post(webhook + path, json);
      assert.deepEqual([status, body.code], [409, 'webhook_not_active']);
    }
    assert.equal((await getDelivery(id)).status, 'delivered');
  });
});

describe('a paused webhook', () => {
  it('keeps open deliveries, drops new events visibly, and delivers all after resume and replay', async () => {
    const since = service.clock.now().toISOString();
    const waiting = await emitEvents(service, 2, { delayMs: LATER_MS });
    await webhooks.post(`${webhook}/pause`);
    service.clock.advance(LATER_MS);
    const dropped = await emitEvents(service, 3);
    await drain();
    assert.deepEqual(listSent(), []);
    assert.deepEqual(await listStatuses(), {
      ...Object.fromEntries(waiting.map((id) => [id, 'pending'])),
      ...Object.fromEntries(dropped.map((id) => [id, 'dropped'])),
    });
    const droppedDelivery = await getDelivery(dropped[0] as string);
    assert.deepEqual(
      [droppedDelivery.reason, droppedDelivery.nextAttemptAt, droppedDelivery.attempts],
      ['paused', null, 0],
    );
    assert.equal(await replay({ since, dryRun: true }), 3, 'what is missing is counted before it is resumed');
    await webhooks.post(`${webhook}/resume`);
    await receiver.waitForRequests(2);
    await drain();
    assert.deepEqual(listSent(), waiting);
    assert.equal(await replay({ since, dryRun: true }), 3);
    assert.equal(await replay({ since }), 3);
    await drain();
    assert.deepEqual(listSent(), [...waiting, ...dropped]);
    assert.deepEqual(new Set(Object.values(await listStatuses())), new Set(['delivered']));
    assert.equal(await replay({ since }), 0);
  });
});

/** Two seconds of events, three in each: exhausted, dropped and delivered. */
async function emitSixEvents(): Promise<{ from: string; middle: string; to: string; ids: EventId[] }> {
  const from = advanceToNextSecond();
  const first = await emitEvents(service, 3);
  const middle = advanceToNextSecond();
  const ids = [...first, ...(await emitEvents(service, 3))];
  const to = advanceToNextSecond();
  await drain();
  receiver.received = [];
  const states = ['exhausted', 'dropped', 'delivered'];
  for (const [index, id] of ids.entries())
    await service.store.db.query(sql`
      update webhook_delivery set state = ${states[index % 3]}, attempts = 3 where event_id = ${id}`);
  return { from, middle, to, ids };
}

describe('a replay', () => {
  const choices: [
    what: string,
    json: (times: Awaited<ReturnType<typeof emitSixEvents>>) => object,
    which: number[],
  ][] = [
    ['what was not delivered', ({ from }) => ({ since: from }), [0, 1, 3, 4]],
    ['what was not delivered before a time', ({ from, middle: until }) => ({ since: from, until }), [0, 1]],
    ['what was not delivered since a time', ({ middle }) => ({ since: middle }), [3, 4]],
    ['what was dropped', ({ from, to }) => ({ since: from, until: to, status: 'dropped' }), [1, 4]],
    ['what was exhausted', ({ middle }) => ({ since: middle, status: 'exhausted' }), [3]],
    ['what was delivered', ({ from }) => ({ since: from, status: 'delivered' }), [2, 5]],
    ['nothing of an empty range', ({ middle }) => ({ since: middle, until: middle }), []],
    [
      'what was emitted in a range of another time zone',
      ({ from, middle }) => ({ since: toIndianTime(from), until: toIndianTime(middle) }),
      [0, 1],
    ],
  ];
  for (const [what, json, which] of choices)
    it(`sends ${what}, as many as the dry run counts`, async () => {
      const times = await emitSixEvents();
      const before = await listStatuses();
      const preview = await replay({ ...json(times), dryRun: true });
      await drain();
      assert.deepEqual([preview, listSent(), await listStatuses()], [which.length, [], before]);
      assert.equal(await replay(json(times)), which.length);
      await drain();
      assert.deepEqual(
        listSent(),
        which.map((index) => times.ids[index]),
      );
      assert.ok(receiver.received.every(({ json }) => json.deliveryAttempt === 1));
      const actions = (await listAuditEntries(service, webhook.slice(1) as never)).map(
        ({ action }) => action,
      );
      assert.deepEqual(actions, ['webhook.created', 'webhook.replayed']);
    });

  it('sends no test event again', async () => {
    receiver.respond = () => ({ status: 500 });
    const since = advanceToNextSecond();
    assert.equal((await webhooks.post(`${webhook}/test`)).body.delivered, false);
    const [id = ''] = await emitEvents(service, 1);
    await service.store.db.query(
      sql`update webhook_delivery set state = 'exhausted' where event_id >= ${eventIdFromTime(new Date(since))}`,
    );
    receiver.respond = () => ({ status: 200 });
    receiver.received = [];
    for (const status of [undefined, 'exhausted'])
      assert.equal(await replay({ since, status, dryRun: true }), 1);
    assert.equal(await replay({ since }), 1);
    await drain();
    assert.deepEqual(listSent(), [id]);
  });

  it('looks deliveries up by their whole key, however few of the webhook are known to the planner', async () => {
    const key = { organizationId: generateId(), webhookId: generateId(), replayId: generateId() } as never;
    const range = { status: 'exhausted', since: MIN_EVENT_ID, until: MIN_EVENT_ID } as const;
    const page = { after: MIN_EVENT_ID, limit: 10_000, now: new Date() };
    for (const statement of [replayBatch(key, range, page), takeBackBatch(key, 10_000)]) {
      const plan = await service.store.db.query<{ 'QUERY PLAN': string }>({
        text: `explain ${statement.text}`,
        values: statement.values,
      });
      const text = plan.map((line) => line['QUERY PLAN']).join('\n');
      assert.match(text, /Index Cond: .*event_id = chosen\.event_id/, text);
      assert.doesNotMatch(text, /Join Filter/, text);
    }
  });

  it('makes retrying deliveries due at once', async () => {
    receiver.respond = () => ({ status: 500 });
    const since = advanceToNextSecond();
    const ids = await emitEvents(service, 2);
    await drain();
    assert.equal(await replay({ since, status: 'retrying', dryRun: true }), 2);
    assert.equal(await replay({ since, status: 'retrying' }), 2);
    await drain();
    assert.deepEqual(listSent(), [...ids, ...ids].sort());
    assert.deepEqual(
      receiver.received.map(({ json }) => json.deliveryAttempt as number),
      [1, 1, 2, 2],
    );
  });

  it('refuses a range that ends before it begins', async () => {
    const json = { since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' };
    const { status, body } = await webhooks.post(`${webhook}/replay`, json);
    assert.deepEqual([status, body.code, body.detail], [400, 'invalid_input', 'until: is before since']);
  });
});

const toIndianTime = (time: string): string =>
  new Date(Date.parse(time) + 5.5 * 3600 * 1000).toISOString().replace('Z', '+05:30');

describe('the list of events', () => {
  it('holds every event, oldest first, delivered or not, for no webhook or many', async () => {
    const since = advanceToNextSecond();
    const project = await newProject(service, 'Third');
    const first = await emitEvents(service, 2);
    await webhooks.post(`${webhook}/pause`);
    const other = await emitEvents(service, 2, { type: 'records.updated', projectId: project });
    const until = advanceToNextSecond();
    const last = await emitEvents(service, 1);
    const { organizationId } = service.organization;
    const token = await getOrganizationToken(service, 'researcher');
    const url = `/v1/organizations/${organizationId}/webhook-events`;
    const events = async (query: object): Promise<HttpResponse['body']> =>
      (await call(service, `${url}?${new URLSearchParams({ since, ...query }).toString()}`, { token })).body;
    const ids = [...first, ...other, ...last];
    const { results, next } = await events({});
    assert.deepEqual([getIds({ results }), next], [ids, null]);
    assert.deepEqual(results[0], {
      id: first[0],
      type: 'consent.withdrawn',
      timestamp: results[0].timestamp,
      apiVersion: 1,
      organizationId,
      projectId: service.organization.projectId,
      data: { n: 0 },
    });
    const page = await events({ limit: '2' });
    assert.deepEqual([getIds(page), page.next], [ids.slice(0, 2), ids[1]]);
    assert.deepEqual(getIds(await events({ limit: '2', after: page.next })), ids.slice(2, 4));
    assert.deepEqual(getIds(await events({ until })), ids.slice(0, 4));
    assert.deepEqual(getIds(await events({ since: until })), last);
    assert.deepEqual(getIds(await events({ type: 'records.updated' })), other);
    assert.deepEqual(getIds(await events({ projectId: project.toUpperCase() })), other);
    assert.deepEqual(getIds(await events({ type: 'consent.granted' })), []);
  });

  it('holds no event of another organization', async () => {
    await emitEvents(service, 1);
    const organization = await newOrganization(service);
    const token = await getOrganizationToken(service, 'admin', organization);
    const answer = await call(service, `/v1/organizations/${organization.organizationId}/webhook-events`, {
      token,
    });
    assert.deepEqual(answer.body, { results: [], next: null });
  });
});

describe('a replay that is too much', () => {
  it('is stopped: what no attempt was made of is what it was before, and the rest is left', async () => {
    receiver.respond = () => ({ status: 500 });
    const since = advanceToNextSecond();
    const [retried = ''] = await emitEvents(service, 1);
    await drain();
    const { from, ids } = await emitSixEvents();
    const before = (await listDeliveries()).results as HttpResponse['body'][];
    // Nothing is sent from here on.
    await service.worker.stop();
    const list = async () => (await webhooks.send(`${webhook}/replays`)).body.results;
    const { body } = await webhooks.post(`${webhook}/replay`, { since: from });
    const { body: second } = await webhooks.post(`${webhook}/replay`, { since, status: 'retrying' });
    assert.deepEqual([body.count, second.count], [4, 1]);
    const [, replay] = await list();
    assert.deepEqual(replay, {
      id: body.replayId,
      startedAt: replay.startedAt,
      deliveries: 4,
      waiting: 4,
      stoppedAt: null,
      takenBack: 0,
    });
    await webhooks.post(`${webhook}/deliveries/${ids[0]}/redeliver`);
    const stop = async (id: string) => (await webhooks.post(`${webhook}/replays/${id}/stop`)).body.count;
    assert.deepEqual([await stop(body.replayId as string), await stop(body.replayId as string)], [3, 0]);
    assert.equal(await stop(second.replayId as string), 1);
    assert.equal((await getDelivery(ids[0] as string)).status, 'pending', 'sent again by itself');
    const isOther = ({ id }: { id: string }) => id !== ids[0];
    assert.deepEqual((await listDeliveries()).results.filter(isOther), before.filter(isOther));
    assert.ok(before.some(({ id, status }) => id === retried && status === 'retrying'));
    const [, stopped] = await list();
    assert.deepEqual([stopped.waiting, stopped.takenBack, stopped.stoppedAt === null], [0, 3, false]);
    const missing = '00000000-0000-4000-8000-000000000000';
    assert.equal((await webhooks.post(`${webhook}/replays/${missing}/stop`)).status, 404);
    const actions = (await listAuditEntries(service, webhook.slice(1) as never)).map(({ action }) => action);
    assert.equal(actions.filter((action) => action === 'webhook.replay_stopped').length, 2);
  });
});
