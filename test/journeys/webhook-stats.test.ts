import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { z } from 'zod';
import type { getWebhookStats } from '../../contract/webhooks/webhook-stats.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { sql } from '../../server/platform/db/sql.ts';
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
/** Midnight of yesterday. */
let day: number;

before(async () => {
  service = await startTestService();
  api = await createWebhookApi(service);
  webhookId = (await api.createWebhook('https://receiver.example/hook')).id as string;
  otherProjectId = await newProject(service);
  day = Math.floor(service.clock.now().getTime() / (24 * HOUR) - 1) * 24 * HOUR;
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
          durationMs: { p50: 60, p95: 10_000 },
          // Sent again 20 hours later: that is no delay.
          delayMs: { p50: 300, p95: 500 },
        },
      ],
      answers: [
        { answer: '2xx', attempts: 3 },
        { answer: '5xx', attempts: 1 },
        { answer: 'deadline', attempts: 1 },
      ],
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
    const admin = await getOrganizationToken(service);
    const path = `/v1/organizations/${service.organization.organizationId}`;
    const json = { name: 'Limited', role: 'researcher', projectIds: [otherProjectId] };
    const key = await call(service, `${path}/api-keys`, { token: admin, json });
    const { apiKey, apiSecret } = key.body as { apiKey: string; apiSecret: string };
    const { body } = await call(service, '/v1/auth/token', { json: { apiKey, apiSecret } });
    const token = (body as { token: string }).token;
    const stats = await call(service, `${path}/webhooks/${webhookId}/stats?from=${iso(day)}`, { token });
    const { deliveries, attempts, answers } = stats.body as Stats;
    assert.deepEqual([deliveries.map(({ dropped }) => dropped), attempts, answers], [[1], [], []]);
    const list = await call(service, `${path}/webhooks/${webhookId}/deliveries?answer=5xx`, { token });
    assert.deepEqual(list.body.results, []);
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
