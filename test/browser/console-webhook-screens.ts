import { assertCount } from '../harness/page-assertions.ts';
import { consoleEn as en } from '../harness/words.ts';
import type { answerWith, ConsoleScreen, ConsoleStep, open, pressAll } from './console-screens.ts';

/** What ways to a screen are made of. */
interface Steps {
  open: typeof open;
  answerWith: typeof answerWith;
  pressAll: typeof pressAll;
}

const ID = '01a00000-0000-7000-8000-000000000001';
const EVENT = 'evt_01M8323B800000000000000000';
const HOUR = 3_600_000;
const ago = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString();

const WEBHOOK = {
  id: ID,
  organizationId: ID,
  url: 'https://partner.riverside-community-clinic.example/chartgate/webhooks/consents',
  description: 'The study’s own list of who takes part',
  eventTypes: ['consent.granted', 'consent.withdrawn'],
  projectScope: { type: 'all' },
  maxPerSecond: null,
  status: 'active',
  statusSince: ago(2000),
  secrets: [
    { fingerprint: '0a1b2c3d4e5f', createdAt: ago(1), expiresAt: null },
    { fingerprint: 'a9b8c7d6e5f4', createdAt: ago(2000), expiresAt: ago(-23) },
  ],
  failing: null,
  deliveries: { pending: 2, retrying: 1, exhausted: 4, dropped: 12 },
  createdAt: ago(2000),
  changedAt: ago(1),
};

const FAILING = {
  ...WEBHOOK,
  id: ID.replace(/1$/, '2'),
  url: 'https://registry.example/hook',
  description: '',
  failing: { since: ago(5), announcements: [] },
};
const PAUSED = { ...WEBHOOK, id: ID.replace(/1$/, '3'), status: 'paused', description: '' };

const buildDay = (daysAgo: number) => ({
  at: `${ago(24 * daysAgo).slice(0, 10)}T00:00:00.000Z`,
  delivered: daysAgo === 9 ? 0 : 20 + ((daysAgo * 7) % 13),
  pending: daysAgo === 0 ? 2 : 0,
  retrying: daysAgo === 0 ? 1 : 0,
  exhausted: daysAgo % 11 === 9 ? 4 : 0,
  dropped: daysAgo === 20 ? 12 : 0,
});

const STATS = {
  deliveries: Array.from({ length: 40 }, (_, index) => buildDay(39 - index)),
  attempts: Array.from({ length: 7 }, (_, index) => ({
    at: buildDay(6 - index).at,
    delivered: 20,
    failed: index % 3,
    durationMs: { p50: 80 + index * 9, p95: 400 + ((index * 90) % 500) },
    delayMs: { p50: 300, p95: 900 + index * 100 },
  })),
  answers: [
    { answer: '2xx', attempts: 140 },
    { answer: '5xx', attempts: 9 },
    { answer: 'deadline', attempts: 4 },
    { answer: 'tls_failed', attempts: 1 },
  ],
  changes: [
    { at: ago(24 * 5 + 3), change: 'url' },
    { at: ago(24 * 2), change: 'paused' },
    { at: ago(24 * 2 - 1), change: 'resumed' },
    { at: ago(1), change: 'secret' },
  ],
};

const DELIVERY = {
  id: EVENT,
  webhookId: ID,
  type: 'consent.withdrawn',
  projectId: ID,
  patientId: ID,
  timestamp: ago(3),
  status: 'retrying',
  reason: null,
  attempts: 3,
  formerAttempts: 2,
  nextAttemptAt: ago(-2),
  deliveredAt: null,
  createdAt: ago(3),
  changedAt: ago(1),
};

const buildAttempt = (n: number, hours: number, fault: string | null, status: number | null) => ({
  deliveryAttempt: n,
  attemptedAt: ago(hours),
  durationMs: 120 * n,
  url: WEBHOOK.url,
  delivered: fault === null,
  fault,
  message: null,
  response: status && {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', server: 'nginx' },
    body: '<html><head><title>502 Bad Gateway</title></head><body>upstream prematurely closed the connection</body></html>',
    truncated: true,
  },
});

const DELIVERY_DETAILS = {
  ...DELIVERY,
  request: {
    method: 'POST',
    url: WEBHOOK.url,
    headers: { 'content-type': 'application/json', 'webhook-id': EVENT },
    body: JSON.stringify({
      id: EVENT,
      type: 'consent.withdrawn',
      deliveryAttempt: 3,
      data: { patientId: ID },
    }),
  },
  attemptLog: [
    buildAttempt(3, 2.4, 'status', 502),
    buildAttempt(2, 2.9, 'tls_failed', null),
    buildAttempt(1, 3, 'deadline', null),
    buildAttempt(2, 40, null, 200),
    buildAttempt(1, 41, 'connection_failed', null),
  ],
};

const TEST = (fault: string | null) => ({
  delivered: fault === null,
  delivery: { ...DELIVERY, type: 'webhook.test' },
  attempt: buildAttempt(1, 0, fault, null),
});

/** Every page of webhooks, in each of its states. */
export function listWebhookScreens({ open, answerWith, pressAll }: Steps): ConsoleScreen[] {
  const words = en.webhooks;
  const item = [
    answerWith('**/stats?*', 200, STATS),
    answerWith(`**/v1/**/webhooks/${ID}`, 200, WEBHOOK),
    answerWith('**/replays', 200, {
      results: [
        { id: ID, startedAt: ago(1), deliveries: 1200, waiting: 840, stoppedAt: null, takenBack: 0 },
        { id: EVENT, startedAt: ago(9), deliveries: 300, waiting: 0, stoppedAt: ago(8), takenBack: 240 },
      ],
    }),
    answerWith('**/deliveries?*', 200, { results: [DELIVERY, { ...DELIVERY, id: `${EVENT}1` }], next: null }),
  ];
  const tab = (name: string, ...more: ConsoleStep[]): ConsoleScreen => ({
    screen: 'webhook',
    variant: `webhook-${name}`,
    steps: [...item, open(`/webhooks/${ID}${name === 'overview' ? '' : `?tab=${name}`}`), ...more],
  });
  const results = [WEBHOOK, FAILING, PAUSED];
  const list = [
    answerWith('**/stats?*', 200, STATS),
    answerWith('**/webhooks?*', 200, { total: 3, results }),
  ];
  return [
    { screen: 'webhooks', variant: 'webhooks-empty', steps: [open('/webhooks')] },
    { screen: 'webhooks', steps: [...list, open('/webhooks')] },
    {
      screen: 'webhooks',
      variant: 'webhooks-researcher',
      role: 'researcher',
      steps: [...list, open('/webhooks')],
    },
    { screen: 'new-webhook', steps: [open('/webhooks/new')] },
    {
      screen: 'new-webhook',
      variant: 'new-webhook-faults',
      steps: [open('/webhooks/new'), pressAll(words.form.submit)],
    },
    tab('overview', ({ tab: page }) => page.locator('.chart-mark').first().waitFor()),
    {
      ...tab('overview', ({ tab: page }) =>
        page.getByRole('button', { name: en.charts.asTable }).first().click(),
      ),
      variant: 'webhook-overview-table',
    },
    tab('deliveries'),
    {
      screen: 'webhook',
      variant: 'webhook-deliveries-several',
      steps: [
        ...item,
        open(`/webhooks/${ID}?tab=deliveries&status=exhausted%2Cretrying&type=consent.withdrawn`),
        ({ tab: page }) => assertCount(page.locator('.chip'), 3),
      ],
    },
    {
      ...tab('setup', pressAll(words.setup.test)),
      steps: [
        answerWith('**/test', 200, TEST('tls_failed')),
        ...tab('setup', pressAll(words.setup.test)).steps,
      ],
    },
    tab('settings'),
    { ...tab('settings', pressAll(words.settings.rotate)), variant: 'webhook-rotate' },
    tab('recover'),
    {
      screen: 'delivery',
      steps: [
        answerWith(`**/v1/**/webhooks/${ID}`, 200, WEBHOOK),
        answerWith(`**/v1/**/deliveries/${EVENT}`, 200, DELIVERY_DETAILS),
        open(`/webhooks/${ID}/deliveries/${EVENT}`),
      ],
    },
    {
      screen: 'delivery',
      variant: 'delivery-of-paused',
      steps: [
        answerWith(`**/v1/**/webhooks/${ID}`, 200, { ...WEBHOOK, status: 'paused' }),
        answerWith(`**/v1/**/deliveries/${EVENT}`, 200, DELIVERY_DETAILS),
        open(`/webhooks/${ID}/deliveries/${EVENT}`),
        ({ tab }) => tab.getByRole('link', { name: words.delivery.notActive }).waitFor(),
      ],
    },
  ];
}
