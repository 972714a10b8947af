import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { z } from 'zod';
import type { getWebhookStats } from '../../contract/webhooks/webhook-stats.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { raw, sql } from '../../server/platform/db/sql.ts';
import type { WebhookId } from '../../contract/brands.ts';
import { findPercentile, toBucket } from '../../server/surfaces/webhooks/log/histogram.ts';
import { pruneWebhookHistory } from '../../server/surfaces/webhooks/maintenance/prune-history.ts';
import { createPurgeWebhookJob } from '../../server/surfaces/webhooks/registration/delete-webhook.ts';
import { sumWebhookDays } from '../../server/surfaces/webhooks/maintenance/sum-days.ts';
import { sumWebhookHours } from '../../server/surfaces/webhooks/maintenance/sum-hours.ts';
import { eventIdFromTime } from '../../server/surfaces/webhooks/events/event-id.ts';
import {
  call,
  getOrganizationToken,
  newProject,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { createWebhookApi, type WebhookApi } from '../harness/webhooks.ts';

type Stats = z.infer<(typeof getWebhookStats)['response']>;

interface Attempt {
  /** Milliseconds after the event. */
  after: number;
  durationMs?: number;
  fault?: string;
  status?: number;
  /** Of a delivery that was sent again, the count begins anew. */
  n?: number;
}

const PATIENT = '0190c2a4-5a3e-7c59-b1c4-2f1d6a9be001';
const HOUR = 3_600_000;

let service: TestService;
let api: WebhookApi;
let webhookId = '';
let otherProjectId = '';
/** Midnight of the day before yesterday: all that is made up below is over, at any time of day. */
let day: number;

before(async () => {
  service = await startTestService();
  api = await createWebhookApi(service);
  webhookId = (await api.createWebhook('https://receiver.example/hook')).id as string;
  otherProjectId = await newProject(service);
  day = Math.floor(service.clock.now().getTime() / (24 * HOUR) - 2) * 24 * HOUR;
  const { projectId } = service.organization;
  await insertDelivery(day + HOUR, { state: 'delivered', projectId }, [
    { after: 100, durationMs: 40, status: 204 },
  ]);
  await insertDelivery(day + 2 * HOUR, { state: 'delivered', projectId }, [
    { after: 300, durationMs: 80, fault: 'status', status: 500 },
    { after: 5 * 60_000, n: 2, durationMs: 60, status: 200 },
    { after: 20 * HOUR, n: 1, durationMs: 20, status: 200 },
  ]);
  await insertDelivery(day + 3 * HOUR, { state: 'exhausted', projectId, patientId: PATIENT }, [
    { after: 500, durationMs: 10_000, fault: 'deadline' },
  ]);
  const other = { state: 'dropped', projectId: otherProjectId, type: 'consent.granted' };
  await insertDelivery(day + 26 * HOUR, other, []);
});
after(() => service.stop());

async function insertDelivery(
  at: number,
  event: { state: string; projectId: string; type?: string; patientId?: string },
  attempts: Attempt[],
): Promise<void> {
  const { organizationId } = service.organization;
  const time = new Date(at);
  const eventId = eventIdFromTime(time);
  const { db } = service.store;
  await db.query(sql`
    insert into webhook_event (organization_id, event_id, project_id, patient_id, type, occurred_at, data)
    values (${organizationId}, ${eventId}, ${event.projectId}, ${event.patientId ?? null},
      ${event.type ?? 'consent.withdrawn'}, ${time}, '{}')`);
  await db.query(sql`
    insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, created_at, changed_at)
    values (${organizationId}, ${webhookId}, ${eventId}, ${event.state}, ${time}, ${time}, ${time})`);
  for (const { after: ms, durationMs = 1, fault = null, status = null, n = 1 } of attempts)
    await db.query(sql`
      insert into webhook_attempt (organization_id, webhook_id, event_id, attempt_id, delivery_attempt, attempted_at,
        duration_ms, url, fault, status)
      values (${organizationId}, ${webhookId}, ${eventId}, ${generateId<string>()}, ${n}, ${new Date(at + ms)},
        ${durationMs}, 'https://receiver.example/hook', ${fault}, ${status})`);
}

/** A researcher who sees nothing but the other project. */
async function signInLimited(): Promise<{ path: string; token: string }> {
  const admin = await getOrganizationToken(service);
  const path = `/v1/organizations/${service.organization.organizationId}`;
  const json = { name: 'Limited', role: 'researcher', projectIds: [otherProjectId] };
  const key = await call(service, `${path}/api-keys`, { token: admin, json });
  const { apiKey, apiSecret } = key.body as { apiKey: string; apiSecret: string };
  const { body } = await call(service, '/v1/auth/token', { json: { apiKey, apiSecret } });
  return { path, token: (body as { token: string }).token };
}

const setState = (at: number, state: string): Promise<unknown> =>
  service.store.db.query(sql`
    update webhook_delivery set state = ${state} where webhook_id = ${webhookId} and event_id = ${eventIdFromTime(new Date(at))}`);

const iso = (ms: number): string => new Date(ms).toISOString();

const getStats = (query: string): ReturnType<WebhookApi['send']> => api.send(`/${webhookId}/stats?${query}`);

describe('the statistics of a webhook', () => {
  it('count deliveries by the time of their event, and time each attempt and the delay of the first', async () => {
    const { status, body } = await getStats(`from=${iso(day)}&to=${iso(day + 48 * HOUR)}`);
    assert.equal(status, 200);
    const none = { delivered: 0, pending: 0, retrying: 0, exhausted: 0, dropped: 0 };
    assert.deepEqual(body as Stats, {
      deliveries: [
        { at: iso(day), ...none, delivered: 2, exhausted: 1 },
        { at: iso(day + 24 * HOUR), ...none, dropped: 1 },
      ],
      attempts: [
        {
          at: iso(day),
          delivered: 3,
          failed: 2,
          // Within 5 % of 60 and 10,000.
          durationMs: { p50: 61, p95: 10_173 },
          // Sent again 20 hours later: that is no delay.
          delayMs: { p50: 292, p95: 490 },
        },
      ],
      answers: [
        { answer: '2xx', attempts: 3 },
        { answer: '5xx', attempts: 1 },
        { answer: 'deadline', attempts: 1 },
      ],
      changes: [],
    });
    const hours = await getStats(`from=${iso(day)}&to=${iso(day + 3 * HOUR)}&bucket=hour`);
    assert.deepEqual(
      (hours.body as Stats).deliveries.map(({ at, delivered }) => [at, delivered]),
      [
        [iso(day + HOUR), 1],
        [iso(day + 2 * HOUR), 1],
      ],
    );
  });

  it('name when address, secret and status of this webhook changed, and nothing else that was done to it', async () => {
    const from = iso(service.clock.now().getTime() - 1000);
    const create = async (name: string) =>
      (await api.createWebhook(`https://${name}.example/hook`)).id as string;
    const [one, other] = [await create('one'), await create('other')];
    const send = async (path: string, json: object, method = 'POST') => {
      const { status } = await api.send(`/${one}${path}`, { json, method });
      assert.ok(status < 300, `${path}: ${status}`);
    };
    // The form sends what it leaves as it was.
    await send('', { url: 'https://one.example/hook', description: 'Ours' }, 'PATCH');
    await send('', { url: 'https://one.example/other' }, 'PATCH');
    await send('/rotate-secret', { overlapSeconds: 3600 });
    await send('/pause', {});
    await send('/resume', {});
    await api.post(`/${other}/pause`);
    // A suspension is announced after it.
    const suspendedAt = iso(service.clock.now().getTime() + 60_000);
    await createAuditLog({ db: service.store.db, clock: service.clock }).append({
      organizationId: service.organization.organizationId,
      action: 'webhook.suspended',
      actor: { kind: 'system', id: 'webhooks' },
      detail: { webhookId: one, suspendedSince: suspendedAt },
    });
    // The range ends before the present millisecond.
    await new Promise((resolve) => setTimeout(resolve, 2));
    const list = async (id: string, range: string) => {
      const { body } = await api.send(`/${id}/stats?${range}`);
      return (body as Stats).changes;
    };
    const changes = await list(one, `from=${from}`);
    assert.deepEqual(
      changes.map(({ change }) => change),
      ['url', 'secret', 'paused', 'resumed', 'suspended'],
    );
    assert.equal(changes.at(-1)?.at, suspendedAt);
    assert.deepEqual(
      (await list(other, `from=${from}`)).map(({ change }) => change),
      ['paused'],
    );
    assert.deepEqual(await list(one, `from=${iso(day)}&to=${iso(day + HOUR)}`), []);
  });

  it('refuse a range that is empty or too fine, and a parameter that there is not', async () => {
    for (const query of [
      `from=${iso(day)}&to=${iso(day)}`,
      `from=${iso(day - 40 * 24 * HOUR)}&bucket=hour`,
      `from=${iso(day)}&bucket=minute`,
      `from=${iso(day)}&per=day`,
      'from=yesterday',
    ])
      assert.equal((await getStats(query)).status, 400, query);
  });

  it('hold nothing of projects that the caller is not limited to', async () => {
    const { path, token } = await signInLimited();
    const stats = await call(service, `${path}/webhooks/${webhookId}/stats?from=${iso(day)}`, { token });
    const { deliveries, attempts, answers } = stats.body as Stats;
    assert.deepEqual([deliveries.map(({ dropped }) => dropped), attempts, answers], [[1], [], []]);
    const list = await call(service, `${path}/webhooks/${webhookId}/deliveries?answer=5xx`, { token });
    assert.deepEqual(list.body.results, []);
    const none = { pending: 0, retrying: 0, exhausted: 0, dropped: 0 };
    const all = (await call(service, `${path}/webhooks`, { token })).body.results[0].deliveries;
    const one = (await call(service, `${path}/webhooks/${webhookId}`, { token })).body.deliveries;
    assert.deepEqual(
      [all, one],
      [
        { ...none, dropped: 1 },
        { ...none, dropped: 1 },
      ],
    );
    assert.deepEqual((await api.send(`/${webhookId}`)).body.deliveries, {
      ...none,
      exhausted: 1,
      dropped: 1,
    });
    // A replay counts deliveries of all projects.
    const replays = await call(service, `${path}/webhooks/${webhookId}/replays`, { token });
    assert.deepEqual([replays.status, replays.body.results], [200, []]);
  });
});

describe('the deliveries of a webhook', () => {
  const listHours = async (query: string): Promise<number[]> => {
    const { status, body } = await api.send(`/${webhookId}/deliveries?${query}`);
    assert.equal(status, 200, query);
    return (body.results as { timestamp: string }[]).map(
      ({ timestamp }) => (Date.parse(timestamp) - day) / HOUR,
    );
  };

  it('are found by type, project, patient, time, and what an attempt came to', async () => {
    assert.deepEqual(await listHours(''), [26, 3, 2, 1]);
    assert.deepEqual(await listHours('type=consent.granted'), [26]);
    assert.deepEqual(await listHours(`projectId=${otherProjectId}`), [26]);
    assert.deepEqual(await listHours(`patientId=${PATIENT}&status=exhausted`), [3]);
    assert.deepEqual(await listHours(`since=${iso(day + 2 * HOUR)}&until=${iso(day + 3 * HOUR)}`), [2]);
    assert.deepEqual(await listHours('answer=5xx'), [2]);
    assert.deepEqual(await listHours('answer=2xx'), [2, 1]);
    assert.deepEqual(await listHours('answer=2xx,deadline'), [3, 2, 1]);
    assert.deepEqual(await listHours('answer=deadline'), [3]);
    const { body } = await api.send(`/${webhookId}/deliveries?limit=2`);
    assert.deepEqual(
      await listHours(`limit=2&before=${String(body.next)}&until=${iso(day + 30 * HOUR)}`),
      [2, 1],
    );
  });

  it('are not listed for a filter that there is not', async () => {
    for (const query of ['answer=6xx', 'type=consent', 'patient=x', 'since=monday', 'projectId=1'])
      assert.equal((await api.send(`/${webhookId}/deliveries?${query}`)).status, 400, query);
  });
});

describe('an address that is not registered yet', () => {
  it('is checked as a delivery would be, without a request to it, thirty times a minute', async () => {
    const cases = [
      ['https://203.0.113.9/hook', 'address_not_public'],
      ['https://93.184.215.14/hook', null],
      ['http://93.184.215.14/hook', 'not_https'],
      ['https://10.0.0.1/', 'address_not_public'],
      ['https://[::1]/', 'address_not_public'],
      ['https://169.254.169.254/latest', 'address_not_public'],
      ['https://localhost/', 'host_not_public'],
      ['https://user:word@93.184.215.14/', 'credentials_in_url'],
      ['what', 'invalid_url'],
      ['https:///hooks.example/x', 'invalid_url'],
      ['https://a..example/', 'invalid_url'],
    ] as const;
    for (const [url, fault] of cases) {
      const { status, body } = await api.post('/check-url', { url });
      assert.deepEqual(
        [status, body.ok, body.fault, body.message === null],
        [200, fault === null, fault, fault === null],
        url,
      );
    }
    for (let count: number = cases.length; count < 30; count++) await api.post('/check-url', { url: 'x' });
    const refused = await api.post('/check-url', { url: 'x' });
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
  });
});

describe('the hours of a webhook that are summed', () => {
  function sum({ hoursLater = 0 } = {}): Promise<void> {
    const clock = { now: () => new Date(service.clock.now().getTime() + hoursLater * HOUR) };
    return sumWebhookHours({ db: service.store.db, clock }, new AbortController().signal);
  }
  /** By day and hour, over ranges that cut hours in which there were attempts, and by who sees one project. */
  async function measureAll({ path, token }: { path: string; token: string }): Promise<Stats[]> {
    const ranges = [
      `from=${iso(day)}`,
      `from=${iso(day)}&bucket=hour`,
      `from=${iso(day + HOUR + 50)}&to=${iso(day + 3 * HOUR + 400)}&bucket=hour`,
      `from=${iso(day + HOUR + 200)}&to=${iso(day + 3 * HOUR + 600)}&bucket=hour`,
      `from=${iso(day + HOUR + 1)}&to=${iso(day + HOUR + 2)}`,
    ];
    // Days of the zones below begin and end in these.
    for (const [from, to] of [
      [day - 5.5 * HOUR, day + 18.5 * HOUR],
      [day - 5 * HOUR, day + 43 * HOUR],
      [day - 24 * HOUR + 1, day + 24 * HOUR - 1],
    ] as const)
      ranges.push(`from=${iso(from)}&to=${iso(to)}`);
    const answers = await Promise.all(ranges.map(getStats));
    const limited = await call(service, `${path}/webhooks/${webhookId}/stats?${ranges[0]}`, { token });
    return [...answers, limited].map(({ body }) => body as Stats);
  }

  it('say the same as the rows, whoever asks, and leave open how a delivery stands', async () => {
    const { projectId } = service.organization;
    const limited = await signInLimited();
    const before = await measureAll(limited);
    await sum();
    const hours = await service.store.db.query(sql`select from webhook_hour`);
    assert.equal(hours.length, 5, 'hours with deliveries or attempts, by project');
    assert.deepEqual(await measureAll(limited), before);

    await setState(day + HOUR, 'exhausted');
    const [given] = await measureAll(limited);
    assert.deepEqual([given?.deliveries[0]?.delivered, given?.deliveries[0]?.exhausted], [1, 2]);
    await setState(day + HOUR, 'delivered');

    const now = service.clock.now().getTime() - 1000;
    await insertDelivery(now, { state: 'delivered', projectId }, [{ after: 10, status: 200 }]);
    const later = await measureAll(limited);
    assert.notDeepEqual(later, before);
    await sum({ hoursLater: 2 });
    assert.deepEqual(await measureAll(limited), later);
  });

  it('are summed by the days of the zone, which say the same, whatever zone that comes to be', async () => {
    const { db } = service.store;
    const { organizationId, projectId } = service.organization;
    const limited = await signInLimited();
    const setZone = (zone: string): Promise<unknown> =>
      db.query(sql`update organization set time_zone = ${zone} where organization_id = ${organizationId}`);
    const later = { now: () => new Date(service.clock.now().getTime() + 2 * HOUR) };
    // At both ends of a day there: half past six and a quarter past six in the evening.
    await insertDelivery(day + 18.25 * HOUR, { state: 'delivered', projectId }, [
      { after: 100, status: 200 },
    ]);
    await insertDelivery(day + 18.5 * HOUR, { state: 'delivered', projectId }, [
      { after: 100, durationMs: 7000, fault: 'deadline' },
      { after: 40 * 60_000, status: 200, n: 2 },
    ]);
    await db.query(raw('delete from webhook_hour'));
    await db.query(raw('delete from webhook_hour_progress'));
    await sumWebhookHours({ db, clock: later }, new AbortController().signal);
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York', 'UTC']) {
      await setZone(zone);
      const fromHours = await measureAll(limited);
      await sumWebhookDays({ db }, new AbortController().signal);
      assert.ok((await db.query(sql`select from webhook_day`)).length >= 2, zone);
      assert.deepEqual(await measureAll(limited), fromHours, zone);
    }
    // What is summed by the day needs no hours.
    await db.query(raw('delete from webhook_hour'));
    const [read] = await measureAll(limited);
    assert.ok((read?.attempts.length ?? 0) > 0);
    await db.query(raw('delete from webhook_day'));
    await db.query(raw('delete from webhook_day_progress'));
    await db.query(raw('delete from webhook_hour_progress'));
    await sumWebhookHours({ db, clock: later }, new AbortController().signal);
    await sumWebhookDays({ db }, new AbortController().signal);
  });

  it('say times to within 5 %', async () => {
    const rows = await service.store.db.query(sql<{ ms: number; bucket: number }>`
      select ms, ${toBucket('ms')} as bucket from (select (1.37 ^ n)::int as ms from generate_series(0, 60) n) times`);
    for (const { ms, bucket } of rows) {
      const read = findPercentile(new Map([[bucket, 1]]), 0.5);
      assert.ok(read !== null && Math.abs(read - ms) <= Math.max(0.05 * ms, 0.5), `${ms} is read as ${read}`);
    }
  });

  it('go with the webhook, and after as long as its history', async () => {
    const { db } = service.store;
    const { organizationId } = service.organization;
    const { signal } = new AbortController();
    const count = async (): Promise<number[]> => [
      (await db.query(sql`select from webhook_hour`)).length,
      (await db.query(sql`select from webhook_day`)).length,
    ];
    const [hours, days] = (await count()) as [number, number];
    assert.ok(days >= 2);
    const other = { organizationId, webhookId: generateId<WebhookId>() };
    await createPurgeWebhookJob({ db }).run(other, signal);
    assert.deepEqual(await count(), [hours, days]);
    // History ends within the first day: it is read from the hours that are left.
    const end = new Date(day + 3 * HOUR);
    end.setUTCFullYear(end.getUTCFullYear() + 1);
    const clock = { now: () => end };
    await pruneWebhookHistory({ db, clock }, 12, signal);
    assert.deepEqual(await count(), [hours - 2, days - 1], 'the hours from 1 to 3, and their day');
    const { body } = await getStats(`from=${iso(day - 72 * HOUR)}`);
    assert.deepEqual(
      (body as Stats).deliveries.map(({ at, delivered, exhausted }) => [at, delivered, exhausted]).at(0),
      [iso(day), 2, 1],
    );
    await createPurgeWebhookJob({ db }).run({ organizationId, webhookId: webhookId as WebhookId }, signal);
    assert.deepEqual(await count(), [0, 0]);
  });
});
