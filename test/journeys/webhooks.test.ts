import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { MAX_WEBHOOKS } from '../../contract/webhooks/webhooks.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  call,
  newOrganization,
  newProject,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';
import { listAuditEntries, emitEvents, createWebhookApi, type WebhookApi } from '../harness/webhooks.ts';

const ELSEWHERE = '00000000-0000-4000-8000-000000000000';

let receiver: WebhookReceiver;
let service: TestService;
let webhooks: WebhookApi;

before(async () => {
  receiver = await startWebhookReceiver();
  service = await startTestService({ webhookOutbound: receiver.outboundClient });
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
});

const getWebhook = async (id: string): Promise<HttpResponse['body']> => (await webhooks.send(`/${id}`)).body;

const updateState = (id: string, state: object): Promise<unknown[]> => {
  const { failing, status } = state as { failing?: Date; status?: string };
  return service.store.db.query(sql`
    update webhook set failing_since = ${failing ?? null}, announced_at = array[${failing ?? new Date()}]::timestamptz[],
      status = coalesce(${status ?? null}, status), suspension_announced = ${status === 'suspended'}
    where webhook_id = ${id}`);
};

const countRows = async (table: 'webhook_secret' | 'webhook_delivery' | 'webhook_attempt', id: string) => {
  const from = {
    webhook_secret: sql`webhook_secret`,
    webhook_delivery: sql`webhook_delivery`,
    webhook_attempt: sql`webhook_attempt`,
  }[table];
  return (await service.store.db.query(sql`select from ${from} where webhook_id = ${id}`)).length;
};

describe('creating a webhook', () => {
  it('returns a secret of 32 bytes that is never shown again', async () => {
    const { secret, ...webhook } = await webhooks.createWebhook(receiver.url(), {
      description: ' Hospital ',
    });
    assert.match(secret as string, /^whsec_/);
    assert.equal(Buffer.from((secret as string).slice('whsec_'.length), 'base64').length, 32);
    const { id, createdAt, secrets, ...rest } = webhook;
    assert.deepEqual(rest, {
      organizationId: service.organization.organizationId,
      url: receiver.url(),
      description: 'Hospital',
      eventTypes: ['consent.withdrawn'],
      projectScope: { type: 'all' },
      maxPerSecond: null,
      status: 'active',
      statusSince: createdAt,
      failing: null,
      deliveries: { pending: 0, retrying: 0, exhausted: 0, dropped: 0 },
      changedAt: createdAt,
    });
    const { fingerprint } = secrets[0];
    assert.deepEqual(secrets, [{ fingerprint, createdAt, expiresAt: null }]);
    assert.match(fingerprint as string, /^[0-9a-f]{12}$/);
    await webhooks.send(`/${id}`, { method: 'PATCH', json: { description: 'Clinic' } });
    await webhooks.post(`/${id}/test`);
    const shown = await Promise.all(['', `/${id}`, `/${id}/deliveries`].map((path) => webhooks.send(path)));
    const kept = await service.store.db.query(sql`select detail from audit_entry`);
    const key = (secret as string).slice('whsec_'.length);
    assert.ok(!JSON.stringify([shown, kept]).includes(key));
    assert.deepEqual(
      (await listAuditEntries(service, id as never)).map(({ action }) => action),
      ['webhook.created', 'webhook.changed', 'webhook.tested'],
    );
  });

  it('sorts event types as in the catalogue and removes duplicate projects', async () => {
    const other = await newProject(service, 'Second');
    const { projectId } = service.organization;
    const webhook = await webhooks.createWebhook(receiver.url(), {
      eventTypes: ['records.updated', 'consent.granted', 'records.updated'],
      projectScope: { type: 'projects', projectIds: [other, projectId, other.toUpperCase()] },
      maxPerSecond: 5,
    });
    assert.deepEqual(webhook.eventTypes, ['consent.granted', 'records.updated']);
    assert.deepEqual(webhook.projectScope, { type: 'projects', projectIds: [projectId, other].sort() });
    assert.equal(webhook.maxPerSecond, 5);
  });

  const refused: [why: string, json: object, path: RegExp][] = [
    ['http', { url: 'http://hooks.example/x' }, /^url/],
    ['no address', { url: 'hooks' }, /^url/],
    ['credentials', { url: 'https://a:b@hooks.example/x' }, /^url/],
    ['a fragment', { url: 'https://hooks.example/x#y' }, /^url/],
    ['localhost', { url: 'https://localhost/x' }, /^url/],
    ['a name of our own network', { url: 'https://intranet/x' }, /^url/],
    ['a loopback address', { url: 'https://127.0.0.1/x' }, /^url/],
    ['a loopback address in one number', { url: 'https://2130706433/x' }, /^url/],
    ['a loopback address as IPv6', { url: 'https://[::ffff:127.0.0.1]/x' }, /^url/],
    ['a private address', { url: 'https://10.1.2.3/x' }, /^url/],
    ['an address of a cloud’s metadata', { url: 'https://169.254.169.254/latest' }, /^url/],
    ['a host with an empty part', { url: 'https://a..hooks.example/x' }, /^url/],
    ['a host that begins with a dot', { url: 'https://.hooks.example/x' }, /^url/],
    ['a host with a part of 64 characters', { url: `https://${'x'.repeat(64)}.example/x` }, /^url/],
    ['a host of more than 253 characters', { url: `https://${'x.'.repeat(130)}example/x` }, /^url/],
    ['port 0', { url: 'https://hooks.example:0/x' }, /^url/],
    ['a host after a third slash', { url: 'https:///hooks.example/x' }, /^url/],
    ['a host without slashes', { url: 'https:hooks.example/x' }, /^url/],
    ['a long address', { url: `https://hooks.example/${'x'.repeat(2000)}` }, /^url: must have at most 2000/],
    ['no types', { eventTypes: [] }, /^eventTypes/],
    ['an unknown type', { eventTypes: ['consent.everything'] }, /^eventTypes\[0\]/],
    ['all projects and some', { projectScope: { type: 'all', projectIds: [ELSEWHERE] } }, /^projectScope/],
    ['no projects', { projectScope: { type: 'projects', projectIds: [] } }, /^projectScope\.projectIds/],
    [
      'an unknown project',
      { projectScope: { type: 'projects', projectIds: [ELSEWHERE] } },
      /^projectScope\.projectIds\[0\]/,
    ],
    ['zero attempts a second', { maxPerSecond: 0 }, /^maxPerSecond/],
  ];
  for (const [why, json, path] of refused)
    it(`refuses, also on update, ${why}`, async () => {
      const webhook = await webhooks.createWebhook(receiver.url());
      const body = { url: receiver.url(), eventTypes: ['consent.withdrawn'], ...json };
      for (const answer of [
        await webhooks.send('', { json: body }),
        await webhooks.send(`/${webhook.id}`, { method: 'PATCH', json }),
      ]) {
        assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input']);
        assert.match(answer.body.detail as string, path);
      }
      const { secret: _, ...before } = webhook;
      assert.deepEqual((await webhooks.send('')).body, { total: 1, results: [before] });
    });

  it('refuses a project of another organization', async () => {
    const { projectId } = await newOrganization(service);
    const projectScope = { type: 'projects', projectIds: [service.organization.projectId, projectId] };
    const { status, body } = await webhooks.send('', {
      json: { url: receiver.url(), eventTypes: ['consent.withdrawn'], projectScope },
    });
    assert.deepEqual([status, body.code], [400, 'invalid_input']);
    assert.match(body.detail as string, /projectIds\[1\]/);
  });

  it(`permits ${MAX_WEBHOOKS} webhooks and no more, however many requests come at once`, async () => {
    const json = { url: receiver.url(), eventTypes: ['consent.withdrawn'] };
    const answers = await Promise.all(
      Array.from({ length: MAX_WEBHOOKS + 5 }, () => webhooks.send('', { json })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.code]),
      Array.from({ length: 5 }, () => [409, 'too_many_webhooks']),
    );
    const pages = await Promise.all(
      [0, MAX_WEBHOOKS - 5].map(
        async (offset) => (await webhooks.send(`?limit=${MAX_WEBHOOKS - 5}&offset=${offset}`)).body,
      ),
    );
    assert.deepEqual(
      pages.map(({ total, results }) => [total, results.length]),
      [
        [MAX_WEBHOOKS, MAX_WEBHOOKS - 5],
        [MAX_WEBHOOKS, 5],
      ],
    );
    const ids = new Set(pages.flatMap(({ results }) => results.map(({ id }: { id: string }) => id)));
    assert.equal(ids.size, MAX_WEBHOOKS);
  });
});

describe('updating a webhook', () => {
  it('changes the given fields and nothing else', async () => {
    const { secret: _, ...before } = await webhooks.createWebhook(receiver.url());
    service.clock.advance(1000);
    const { projectId } = service.organization;
    const json = {
      eventTypes: ['webhook.test', 'consent.expired'],
      projectScope: { type: 'projects', projectIds: [projectId] },
      maxPerSecond: 7,
    };
    const { body } = await webhooks.send(`/${before.id}`, { method: 'PATCH', json });
    assert.deepEqual(body, {
      ...before,
      ...json,
      eventTypes: ['consent.expired', 'webhook.test'],
      changedAt: body.changedAt,
    });
    assert.ok(body.changedAt > before.changedAt);
    const [, changed] = await listAuditEntries(service, before.id as never);
    assert.deepEqual(JSON.parse(changed?.detail ?? ''), {
      webhookId: before.id,
      host: new URL(receiver.url()).host,
      changed: ['eventTypes', 'projectScope', 'maxPerSecond'],
    });
  });

  it('leaves no trace when nothing changes', async () => {
    const { secret: _, ...before } = await webhooks.createWebhook(receiver.url(), {
      eventTypes: ['consent.granted', 'consent.withdrawn'],
    });
    service.clock.advance(1000);
    const json = {
      url: before.url,
      eventTypes: ['consent.withdrawn', 'consent.granted'],
      projectScope: { type: 'all' },
    };
    const { body } = await webhooks.send(`/${before.id}`, { method: 'PATCH', json });
    assert.deepEqual(body, before);
    assert.equal((await listAuditEntries(service, before.id as never)).length, 1);
    assert.equal((await webhooks.send(`/${before.id}`, { method: 'PATCH', json: {} })).status, 400);
  });

  it('clears the failures when the URL changes', async () => {
    const { id } = await webhooks.createWebhook(receiver.url());
    const failing = service.clock.now();
    await updateState(id, { failing });
    await webhooks.send(`/${id}`, { method: 'PATCH', json: { description: 'Clinic' } });
    const announcements = [{ afterHours: 1, announcedAt: failing.toISOString() }];
    assert.deepEqual((await getWebhook(id)).failing, { since: failing.toISOString(), announcements });
    const json = { url: receiver.url('/new') };
    const { body } = await webhooks.send(`/${id}`, { method: 'PATCH', json });
    assert.deepEqual([body.url, body.failing], [json.url, null]);
  });
});

describe('pausing and resuming a webhook', () => {
  it('takes effect once, however often it is requested', async () => {
    const { id } = await webhooks.createWebhook(receiver.url());
    for (const [verb, status] of [
      ['pause', 'paused'],
      ['resume', 'active'],
    ] as const) {
      service.clock.advance(1000);
      const first = await webhooks.post(`/${id}/${verb}`);
      service.clock.advance(1000);
      const second = await webhooks.post(`/${id}/${verb}`);
      assert.deepEqual([first.status, first.body.status], [200, status]);
      assert.equal(first.body.statusSince, first.body.changedAt);
      assert.deepEqual(second.body, first.body);
    }
    assert.deepEqual(
      (await listAuditEntries(service, id as never)).map(({ action }) => action),
      ['webhook.created', 'webhook.paused', 'webhook.resumed'],
    );
  });

  it('resumes a suspended webhook and clears its failures', async () => {
    const { id } = await webhooks.createWebhook(receiver.url());
    await updateState(id, { failing: service.clock.now(), status: 'suspended' });
    const { body } = await webhooks.post(`/${id}/resume`);
    assert.deepEqual([body.status, body.failing], ['active', null]);
    const [row] = await service.store.db.query(
      sql`select suspension_announced, announced_at from webhook where webhook_id = ${id}`,
    );
    assert.deepEqual(row, { suspension_announced: false, announced_at: [] });
  });
});

describe('rotating a secret', () => {
  const fingerprints = (webhook: HttpResponse['body']): string[] =>
    webhook.secrets.map(({ fingerprint }: { fingerprint: string }) => fingerprint);

  it('signs deliveries with both secrets until the old one expires', async () => {
    const first = await webhooks.createWebhook(receiver.url());
    const { body } = await webhooks.post(`/${first.id}/rotate-secret`, { overlapSeconds: 60 });
    assert.deepEqual(
      body.webhook.secrets.map(({ expiresAt }: { expiresAt: string | null }) => expiresAt),
      [null, body.previousExpiresAt],
    );
    assert.equal(fingerprints(body.webhook)[1], fingerprints(first)[0]);
    const verifyAll = async (secrets: string[]): Promise<boolean[]> => {
      receiver.received = [];
      await webhooks.post(`/${first.id}/test`);
      const [received] = receiver.received;
      assert.ok(received);
      return secrets.map((secret) => {
        try {
          return receiver.verify(secret, received) !== undefined;
        } catch {
          return false;
        }
      });
    };
    assert.deepEqual(await verifyAll([body.secret, first.secret]), [true, true]);
    service.clock.advance(60_000);
    assert.deepEqual(await verifyAll([body.secret, first.secret]), [true, false]);
    assert.deepEqual(fingerprints(await getWebhook(first.id)), [fingerprints(body.webhook)[0]]);
  });

  it('permits five live secrets at a time, the newest first', async () => {
    const { id, secret, ...webhook } = await webhooks.createWebhook(receiver.url());
    const known = fingerprints(webhook);
    const secrets = new Set([secret]);
    for (let n = 0; n < 4; n++) {
      const { body } = await webhooks.post(`/${id}/rotate-secret`);
      secrets.add(body.secret);
      known.unshift(fingerprints(body.webhook)[0] as string);
      assert.deepEqual(fingerprints(body.webhook), known);
      const ends = Date.parse(body.previousExpiresAt as string) - service.clock.now().getTime();
      assert.ok(ends > 86_000_000 && ends <= 86_400_000, 'a day unless said');
    }
    assert.equal(secrets.size, 5);
    const { status, body } = await webhooks.post(`/${id}/rotate-secret`);
    assert.deepEqual([status, body.code], [409, 'too_many_secrets']);
    const ended = await webhooks.post(`/${id}/rotate-secret`, { overlapSeconds: 0 });
    assert.equal(ended.status, 200);
    assert.equal(ended.body.webhook.secrets.length, 1);
    assert.equal(await countRows('webhook_secret', id), 1, 'what has ended is not kept');
  });

  it('ends the former secrets at once, and signs with the newest alone', async () => {
    const { id } = await webhooks.createWebhook(receiver.url());
    const { body: rotated } = await webhooks.post(`/${id}/rotate-secret`);
    const ended = await webhooks.post(`/${id}/end-former-secrets`);
    assert.deepEqual([ended.status, fingerprints(ended.body)], [200, [fingerprints(rotated.webhook)[0]]]);
    await webhooks.post(`/${id}/test`);
    const signatures = String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ');
    assert.equal(signatures.length, 1);
    assert.ok(receiver.verify(rotated.secret as string, receiver.received.at(-1) as never));
    assert.equal(await countRows('webhook_secret', id), 1);
  });

  it('never extends the life of an old secret', async () => {
    const { id } = await webhooks.createWebhook(receiver.url());
    const first = await webhooks.post(`/${id}/rotate-secret`, { overlapSeconds: 60 });
    const { body } = await webhooks.post(`/${id}/rotate-secret`, { overlapSeconds: 3600 });
    assert.deepEqual(
      body.webhook.secrets.map(({ expiresAt }: { expiresAt: string | null }) => expiresAt),
      [null, body.previousExpiresAt, first.body.previousExpiresAt],
    );
  });
});

describe('deleting a webhook', () => {
  it('deletes its secrets and deliveries, and keeps the events', async () => {
    const { id } = await webhooks.createWebhook(receiver.url());
    const kept = await webhooks.createWebhook(receiver.url('/kept'));
    const [event] = await emitEvents(service, 1);
    await service.worker.drain();
    assert.equal(await countRows('webhook_attempt', id), 1);
    const deleted = await webhooks.send(`/${id}`, { method: 'DELETE' });
    assert.deepEqual([deleted.status, deleted.body], [204, '']);
    assert.equal((await webhooks.send(`/${id}`)).status, 404);
    assert.equal((await webhooks.send(`/${id}`, { method: 'DELETE' })).status, 404);
    await service.worker.drain();
    for (const table of ['webhook_secret', 'webhook_delivery', 'webhook_attempt'] as const)
      assert.deepEqual([await countRows(table, id), await countRows(table, kept.id)], [0, 1], table);
    const events = await service.store.db.query(
      sql`select from webhook_event where event_id = ${event as string}`,
    );
    assert.equal(events.length, 1);
  });
});

describe('testing a webhook', () => {
  it('delivers a signed test event whatever the webhook subscribes to', async () => {
    const { id, secret } = await webhooks.createWebhook(receiver.url());
    const other = await webhooks.createWebhook(receiver.url('/other'), { eventTypes: ['webhook.test'] });
    const { status, body } = await webhooks.post(`/${id}/test`);
    assert.equal(status, 200);
    assert.deepEqual([body.delivered, body.delivery.status, body.attempt.fault], [true, 'delivered', null]);
    assert.deepEqual([body.delivery.type, body.attempt.response.status], ['webhook.test', 204]);
    const [received] = receiver.received;
    assert.ok(received);
    const event = receiver.verify(secret as string, received) as Record<string, unknown>;
    assert.deepEqual(event['projectId'], service.organization.projectId);
    assert.match((event['data'] as { nonce: string }).nonce, /^[\w-]{22}$/);
    assert.equal(received.headers['webhook-id'], body.delivery.id);
    await service.worker.drain();
    assert.equal(receiver.received.length, 1, 'no other webhook gets the event');
    assert.equal(await countRows('webhook_delivery', other.id), 0);
  });

  it('works while the webhook is paused', async () => {
    const { id } = await webhooks.createWebhook(receiver.url());
    await webhooks.post(`/${id}/pause`);
    assert.equal((await webhooks.post(`/${id}/test`)).body.delivered, true);
  });

  it('returns the fault, which does not count for the health of the endpoint', async () => {
    const { id } = await webhooks.createWebhook(receiver.url());
    receiver.respond = () => ({ status: 503, headers: { 'x-secret': 'x' }, body: 'down; ask a@b.example' });
    const { body } = await webhooks.post(`/${id}/test`);
    assert.deepEqual([body.delivered, body.delivery.status], [false, 'retrying']);
    assert.deepEqual([body.attempt.fault, body.attempt.response.status], ['status', 503]);
    assert.match(body.attempt.message as string, /other than 2xx/);
    assert.equal(body.attempt.response.body, 'down; ask [redacted]');
    assert.equal(body.attempt.response.headers['x-secret'], undefined);
    assert.ok(body.delivery.nextAttemptAt > body.attempt.attemptedAt);
    assert.deepEqual([(await getWebhook(id)).failing, (await getWebhook(id)).deliveries.retrying], [null, 1]);
  });

  it('uses a project in scope, the oldest by default', async () => {
    const project = await newProject(service, 'In scope');
    const projectScope = { type: 'projects', projectIds: [project] };
    const { id } = await webhooks.createWebhook(receiver.url(), { projectScope });
    assert.equal((await webhooks.post(`/${id}/test`)).body.delivery.projectId, project);
    assert.equal((await webhooks.post(`/${id}/test`, { projectId: project })).body.delivered, true);
    for (const projectId of [service.organization.projectId, ELSEWHERE]) {
      const { status, body } = await webhooks.post(`/${id}/test`, { projectId });
      assert.deepEqual([status, body.code], [400, 'invalid_input']);
    }
    const all = await webhooks.createWebhook(receiver.url());
    const foreign = await newOrganization(service);
    const refused = await webhooks.post(`/${all.id}/test`, { projectId: foreign.projectId });
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_input']);
  });

  it('refuses when there is no project', async () => {
    const organization = await newOrganization(service);
    const theirs = await createWebhookApi(service, organization);
    const { id } = await theirs.createWebhook(receiver.url());
    await service.store.db.query(
      sql`delete from project where organization_id = ${organization.organizationId}`,
    );
    const { status, body } = await theirs.post(`/${id}/test`);
    assert.deepEqual([status, body.code], [409, 'no_project']);
  });
});

describe('the webhooks of an organization', () => {
  it('are hidden from other organizations', async () => {
    const { id } = await webhooks.createWebhook(receiver.url());
    const theirs = await createWebhookApi(service, await newOrganization(service));
    const { delivery } = (await webhooks.post(`/${id}/test`)).body;
    const json = { since: '2026-01-01T00:00:00Z' };
    const asked = await Promise.all([
      theirs.send(`/${id}`),
      theirs.send(`/${id}`, { method: 'PATCH', json: { description: 'x' } }),
      theirs.send(`/${id}`, { method: 'DELETE' }),
      ...['pause', 'resume', 'test', 'rotate-secret', 'end-former-secrets'].map((verb) =>
        theirs.post(`/${id}/${verb}`),
      ),
      theirs.send(`/${id}/deliveries`),
      theirs.send(`/${id}/deliveries/${delivery.id}`),
      theirs.post(`/${id}/deliveries/${delivery.id}/redeliver`),
      theirs.post(`/${id}/replay`, json),
    ]);
    assert.deepEqual(
      asked.map(({ status }) => status),
      asked.map(() => 404),
    );
    assert.deepEqual((await theirs.send('')).body, { total: 0, results: [] });
    assert.equal((await getWebhook(id)).status, 'active');
  });

  it('are readable by researchers and writable only by administrators', async () => {
    const { id } = await webhooks.createWebhook(receiver.url());
    const token = await getOrganizationToken(service, 'researcher');
    for (const path of ['', `/${id}`, `/${id}/deliveries`])
      assert.equal((await webhooks.send(path, { token })).status, 200, path);
    for (const verb of ['pause', 'resume', 'test', 'rotate-secret', 'end-former-secrets'])
      assert.equal((await webhooks.send(`/${id}/${verb}`, { token, method: 'POST' })).status, 403, verb);
    assert.equal((await webhooks.send(`/${id}`, { token, method: 'DELETE' })).status, 403);
  });
});

describe('the catalogue of events', () => {
  it('is public', async () => {
    const { status, body } = await call(service, '/v1/webhook-event-types');
    assert.equal(status, 200);
    const [first] = body.results;
    assert.deepEqual(
      [first.type, first.schema.properties.type.const, first.example.type],
      Array(3).fill('consent.granted'),
    );
  });
});
