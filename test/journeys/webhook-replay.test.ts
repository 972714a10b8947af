import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { EventId } from '../../contract/ids.ts';
import { sql } from '../../server/storage/sql.ts';
import {
  call,
  decide,
  newOrganization,
  newProject,
  newTestPatient,
  organizationToken,
  testService,
  type Answer,
  type TestService,
} from '../harness/service.ts';
import { webhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';
import { auditOf, tell, webhookCalls, type WebhookCalls } from '../harness/webhooks.ts';

const RETRY_SECONDS = 60;

/** When something is due that no node is to take before the test says so. */
const LATER_MS = 60_000;

let receiver: WebhookReceiver;
let service: TestService;
let ours: WebhookCalls;
/** Below the organization's webhooks: the one of each test. */
let webhook: string;
let secret: string;

before(async () => {
  receiver = await webhookReceiver();
  const environment = { CHARTGATE_WEBHOOK_RETRY_DELAYS: `${RETRY_SECONDS},${RETRY_SECONDS}` };
  service = await testService({ webhookEgress: receiver.egress, environment });
  receiver.now = () => service.clock.now();
  ours = await webhookCalls(service);
});
after(async () => {
  await service.stop();
  await receiver.stop();
});
beforeEach(async () => {
  Object.assign(receiver, { received: [], answer: () => ({ status: 204 }) });
  const { body } = await ours.ask('');
  for (const { id } of body.results) await ours.ask(`/${id}`, { method: 'DELETE' });
  const registered = await ours.register(receiver.url());
  webhook = `/${registered.id}`;
  ({ secret } = registered);
});

const drain = (): Promise<void> => service.worker.drain();

async function retry(): Promise<void> {
  service.clock.pass(2 * RETRY_SECONDS * 1000);
  await drain();
}

const deliveries = async (query = ''): Promise<Answer['body']> =>
  (await ours.ask(`${webhook}/deliveries${query}`)).body;

const delivery = async (id: string): Promise<Answer['body']> =>
  (await ours.ask(`${webhook}/deliveries/${id}`)).body;

const statuses = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await deliveries()).results.map(({ id, status }: { id: string; status: string }) => [id, status]),
  );

const sent = (): string[] => receiver.received.map(({ headers }) => String(headers['webhook-id'])).sort();

const idsOf = ({ results }: { results: { id: string }[] }): string[] => results.map(({ id }) => id);

/** In the second after the one that events told now have. */
function nextSecond(): string {
  service.clock.pass(2000);
  return new Date(Math.floor(service.clock.now().getTime() / 1000) * 1000).toISOString();
}

const replay = async (json: object): Promise<number> => {
  const { status, body } = await ours.post(`${webhook}/replay`, json);
  assert.equal(status, 200, JSON.stringify(body));
  return body.count as number;
};

describe('the log of deliveries', () => {
  it('tells what was sent, and each attempt with its answer', async () => {
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '1' }, body: 'in maintenance' });
    const patient = await newTestPatient(service);
    await decide(service, patient, 'OPTED_OUT');
    await receiver.until(1);
    await drain();
    const [listed] = (await deliveries()).results;
    assert.deepEqual([listed.status, listed.attempts, listed.type], ['retrying', 1, 'consent.withdrawn']);
    assert.deepEqual([listed.deliveredAt, listed.reason], [null, null]);
    assert.ok(listed.nextAttemptAt > listed.changedAt);
    receiver.answer = () => ({ status: 200, body: 'x'.repeat(5000) });
    await retry();
    const { request, attemptLog, ...told } = await delivery(listed.id as string);
    assert.deepEqual([told.status, told.attempts, told.nextAttemptAt], ['delivered', 2, null]);
    assert.equal(told.deliveredAt, told.changedAt);
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

  it('tells what is to be sent before it was', async () => {
    const [id = ''] = await tell(service, 1, { inMs: LATER_MS });
    const { request, attemptLog, status, nextAttemptAt, timestamp } = await delivery(id);
    assert.deepEqual([status, attemptLog, nextAttemptAt], ['pending', [], timestamp]);
    assert.equal(JSON.parse(request.body as string).deliveryAttempt, 1);
    service.clock.pass(LATER_MS);
    await drain();
    assert.equal(receiver.received[0]?.body, request.body);
  });

  it('is read from the newest event back, page by page, and by what became of them', async () => {
    const ids: string[] = (await tell(service, 5, { inMs: LATER_MS })).reverse();
    await ours.post(`${webhook}/pause`);
    service.clock.pass(LATER_MS);
    const dropped: string[] = (await tell(service, 3)).reverse();
    const all = [...dropped, ...ids];
    assert.deepEqual(idsOf(await deliveries()), all);
    const pages: string[][] = [];
    for (let next: string | null = ''; next !== null;) {
      const page: Answer['body'] = await deliveries(`?limit=3${next && `&before=${next}`}`);
      pages.push(idsOf(page));
      next = page.next;
    }
    assert.deepEqual(pages, [all.slice(0, 3), all.slice(3, 6), all.slice(6)]);
    assert.deepEqual(idsOf(await deliveries('?status=dropped&limit=2')), dropped.slice(0, 2));
    assert.deepEqual(idsOf(await deliveries(`?status=dropped&before=${dropped[1]}`)), dropped.slice(2));
    assert.deepEqual(await deliveries('?status=delivered'), { results: [], next: null });
    const { pending, dropped: lost } = (await ours.ask(webhook)).body.deliveries;
    assert.deepEqual([pending, lost], [5, 3]);
    assert.equal((await ours.ask(`${webhook}/deliveries?before=evt_x`)).status, 400);
    assert.equal((await ours.ask(`${webhook}/deliveries/evt_${'0'.repeat(26)}`)).status, 404);
  });
});

describe('a delivery is sent again', () => {
  it('from its first attempt, when it was exhausted, under the same id', async () => {
    receiver.answer = () => ({ status: 500 });
    const [id = ''] = await tell(service, 1);
    await drain();
    await retry();
    await retry();
    const { status, reason, attempts } = await delivery(id);
    assert.deepEqual([status, reason, attempts], ['exhausted', 'retries_used_up', 3]);
    receiver.answer = () => ({ status: 204 });
    const { status: accepted, body } = await ours.post(`${webhook}/deliveries/${id}/redeliver`);
    assert.equal(accepted, 202);
    assert.deepEqual([body.status, body.reason, body.attempts], ['pending', null, 0]);
    await drain();
    assert.deepEqual((await delivery(id)).status, 'delivered');
    assert.deepEqual(
      receiver.received.map(({ json }) => json.deliveryAttempt),
      [1, 2, 3, 1],
    );
    assert.deepEqual(new Set(sent()), new Set([id]));
    const entry = (await auditOf(service, webhook.slice(1) as never)).at(-1);
    assert.equal(entry?.action, 'webhook.redelivered');
    assert.equal(JSON.parse(entry.detail).was, 'exhausted');
  });

  it('at once with its next attempt, when it waits for that', async () => {
    receiver.answer = () => ({ status: 500 });
    const [id = ''] = await tell(service, 1);
    await drain();
    await drain();
    assert.equal(receiver.received.length, 1);
    assert.equal((await ours.post(`${webhook}/deliveries/${id}/redeliver`)).body.attempts, 1);
    await drain();
    assert.deepEqual(
      receiver.received.map(({ json }) => json.deliveryAttempt),
      [1, 2],
    );
  });

  it('also when it had arrived', async () => {
    const [id = ''] = await tell(service, 1);
    await drain();
    await ours.post(`${webhook}/deliveries/${id}/redeliver`);
    await drain();
    assert.deepEqual(sent(), [id, id]);
    assert.equal((await delivery(id)).attemptLog.length, 2);
  });

  it('not while it is being sent', async () => {
    const gate = Promise.withResolvers<void>();
    receiver.answer = async () => (await gate.promise, { status: 204 });
    const [id = ''] = await tell(service, 1);
    const drained = drain();
    await receiver.until(1);
    const { status, body } = await ours.post(`${webhook}/deliveries/${id}/redeliver`);
    assert.deepEqual([status, body.status], [202, 'pending']);
    gate.resolve();
    await drained;
    await drain();
    assert.deepEqual([sent(), (await delivery(id)).status], [[id], 'delivered']);
    const actions = (await auditOf(service, webhook.slice(1) as never)).map(({ action }) => action);
    assert.deepEqual(actions, ['webhook.created']);
  });

  it('not of a webhook that is paused', async () => {
    const [id = ''] = await tell(service, 1);
    await drain();
    await ours.post(`${webhook}/pause`);
    for (const [path, json] of [
      [`/deliveries/${id}/redeliver`, undefined],
      ['/replay', { since: '2026-01-01T00:00:00Z' }],
    ] as const) {
      const { status, body } = await ours.post(webhook + path, json);
      assert.deepEqual([status, body.code], [409, 'webhook_not_active']);
    }
    assert.equal((await delivery(id)).status, 'delivered');
  });
});

describe('a webhook that is paused', () => {
  it('keeps what was open, drops what is told and says so, and all arrives after resume and replay', async () => {
    const since = service.clock.now().toISOString();
    const waiting = await tell(service, 2, { inMs: LATER_MS });
    await ours.post(`${webhook}/pause`);
    service.clock.pass(LATER_MS);
    const dropped = await tell(service, 3);
    await drain();
    assert.deepEqual(sent(), []);
    assert.deepEqual(await statuses(), {
      ...Object.fromEntries(waiting.map((id) => [id, 'pending'])),
      ...Object.fromEntries(dropped.map((id) => [id, 'dropped'])),
    });
    const told = await delivery(dropped[0] as string);
    assert.deepEqual([told.reason, told.nextAttemptAt, told.attempts], ['paused', null, 0]);
    assert.equal(await replay({ since, dryRun: true }), 3, 'what is missing is counted before it is resumed');
    await ours.post(`${webhook}/resume`);
    await receiver.until(2);
    await drain();
    assert.deepEqual(sent(), waiting);
    assert.equal(await replay({ since, dryRun: true }), 3);
    assert.equal(await replay({ since }), 3);
    await drain();
    assert.deepEqual(sent(), [...waiting, ...dropped]);
    assert.deepEqual(new Set(Object.values(await statuses())), new Set(['delivered']));
    assert.equal(await replay({ since }), 0);
  });
});

describe('a replay', () => {
  /** Two seconds of events, three in each: exhausted, dropped and delivered. */
  async function told(): Promise<{ from: string; middle: string; to: string; ids: EventId[] }> {
    const from = nextSecond();
    const first = await tell(service, 3);
    const middle = nextSecond();
    const ids = [...first, ...(await tell(service, 3))];
    const to = nextSecond();
    await drain();
    receiver.received = [];
    const states = ['exhausted', 'dropped', 'delivered'];
    for (const [index, id] of ids.entries())
      await service.store.db.query(sql`
        update webhook_delivery set state = ${states[index % 3]}, attempts = 3 where event_id = ${id}`);
    return { from, middle, to, ids };
  }

  const choices: [
    what: string,
    json: (times: Awaited<ReturnType<typeof told>>) => object,
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
      'what was told in a range of another time zone',
      ({ from, middle }) => ({ since: inIndia(from), until: inIndia(middle) }),
      [0, 1],
    ],
  ];
  for (const [what, json, which] of choices)
    it(`sends ${what}, as many as its preview says`, async () => {
      const times = await told();
      const before = await statuses();
      const preview = await replay({ ...json(times), dryRun: true });
      await drain();
      assert.deepEqual([preview, sent(), await statuses()], [which.length, [], before]);
      assert.equal(await replay(json(times)), which.length);
      await drain();
      assert.deepEqual(
        sent(),
        which.map((index) => times.ids[index]),
      );
      assert.ok(receiver.received.every(({ json }) => json.deliveryAttempt === 1));
      const actions = (await auditOf(service, webhook.slice(1) as never)).map(({ action }) => action);
      assert.deepEqual(actions, ['webhook.created', 'webhook.replayed']);
    });

  it('hurries what waits for a retry', async () => {
    receiver.answer = () => ({ status: 500 });
    const since = nextSecond();
    const ids = await tell(service, 2);
    await drain();
    assert.equal(await replay({ since, status: 'retrying', dryRun: true }), 2);
    assert.equal(await replay({ since, status: 'retrying' }), 2);
    await drain();
    assert.deepEqual(sent(), [...ids, ...ids].sort());
    assert.deepEqual(
      receiver.received.map(({ json }) => json.deliveryAttempt as number),
      [1, 1, 2, 2],
    );
  });

  it('ends no earlier than it begins', async () => {
    const json = { since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' };
    const { status, body } = await ours.post(`${webhook}/replay`, json);
    assert.deepEqual([status, body.code, body.detail], [400, 'invalid_input', 'until: is before since']);
  });
});

const inIndia = (time: string): string =>
  new Date(Date.parse(time) + 5.5 * 3600 * 1000).toISOString().replace('Z', '+05:30');

describe('the list of events', () => {
  it('has all that was told, oldest first, delivered or not, to nobody or many', async () => {
    const since = nextSecond();
    const project = await newProject(service, 'Third');
    const first = await tell(service, 2);
    await ours.post(`${webhook}/pause`);
    const other = await tell(service, 2, { type: 'records.updated', projectId: project });
    const until = nextSecond();
    const last = await tell(service, 1);
    const { organizationId } = service.organization;
    const token = await organizationToken(service, 'researcher');
    const url = `/v1/organizations/${organizationId}/webhook-events`;
    const events = async (query: object): Promise<Answer['body']> =>
      (await call(service, `${url}?${new URLSearchParams({ since, ...query }).toString()}`, { token })).body;
    const ids = [...first, ...other, ...last];
    const { results, next } = await events({});
    assert.deepEqual([idsOf({ results }), next], [ids, null]);
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
    assert.deepEqual([idsOf(page), page.next], [ids.slice(0, 2), ids[1]]);
    assert.deepEqual(idsOf(await events({ limit: '2', after: page.next })), ids.slice(2, 4));
    assert.deepEqual(idsOf(await events({ until })), ids.slice(0, 4));
    assert.deepEqual(idsOf(await events({ since: until })), last);
    assert.deepEqual(idsOf(await events({ type: 'records.updated' })), other);
    assert.deepEqual(idsOf(await events({ projectId: project.toUpperCase() })), other);
    assert.deepEqual(idsOf(await events({ type: 'consent.granted' })), []);
  });

  it('has none of another organization', async () => {
    await tell(service, 1);
    const organization = await newOrganization(service);
    const token = await organizationToken(service, 'admin', organization);
    const answer = await call(service, `/v1/organizations/${organization.organizationId}/webhook-events`, {
      token,
    });
    assert.deepEqual(answer.body, { results: [], next: null });
  });
});
