import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import {
  call,
  decide,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import {
  startWebhookReceiver,
  type ReceivedRequest,
  type WebhookReceiver,
} from '../harness/webhook-receiver.ts';

for (const engine of JOURNEY_ENGINES)
  describe(`the delivery of events on ${engine}`, () => {
    let receiver: WebhookReceiver;
    let service: TestService;
    let admin: string;
    let patient: TestPatient;
    const made: string[] = [];

    before(async () => {
      receiver = await startWebhookReceiver();
      service = await startTestService({
        engine,
        webhookOutbound: receiver.outboundClient,
        environment: { CHARTGATE_SECRETS_KEY: randomBytes(32).toString('base64') },
      });
      receiver.now = () => service.clock.now();
      admin = await getOrganizationToken(service);
      patient = await newTestPatient(service);
    });
    beforeEach(async () => {
      await signInAnew();
      for (const id of made.splice(0))
        await call(service, getWebhookPath(id), { method: 'DELETE', token: admin });
      receiver.respond = () => ({ status: 204 });
      receiver.received.length = 0;
    });
    after(async () => {
      await service.stop();
      await receiver.stop();
    });

    const getWebhooksPath = (): string => `/v1/organizations/${service.organization.organizationId}/webhooks`;
    const getWebhookPath = (id: string): string => `${getWebhooksPath()}/${id}`;
    async function createWebhook(more: object = {}): Promise<{ id: string; secret: string }> {
      const { status, body } = await call(service, getWebhooksPath(), {
        token: admin,
        json: { url: receiver.url(), eventTypes: ['consent.withdrawn', 'consent.granted'], ...more },
      });
      assert.equal(status, 201, JSON.stringify(body));
      made.push(body.id);
      return body;
    }
    const withdraw = async (): Promise<void> => {
      for (const decision of ['OPTED_IN', 'OPTED_OUT'])
        assert.equal((await decide(service, patient, decision)).status, 201);
    };
    /** Tokens expire while the clock is moved. */
    async function signInAnew(): Promise<void> {
      admin = await getOrganizationToken(service);
      const { email, password, projectId } = patient;
      const { body } = await call(service, '/v1/auth/token', { json: { email, password, projectId } });
      patient.token = body.token;
    }
    const listWithdrawals = (): ReceivedRequest[] =>
      receiver.received.filter(({ json }) => json.type === 'consent.withdrawn');
    async function findDelivery(webhookId: string, eventId: unknown) {
      const { body } = await call(service, `${getWebhookPath(webhookId)}/deliveries/${String(eventId)}`, {
        token: admin,
      });
      return body;
    }

    it('sends a withdrawal, signed so that the official library verifies it', async () => {
      const { secret } = await createWebhook({ eventTypes: ['consent.withdrawn'] });
      await withdraw();
      await receiver.waitForRequests(1);
      const [received] = receiver.received;
      assert.ok(received);
      receiver.verify(secret, received);
      const { headers, json } = received;
      assert.equal(headers['content-type'], 'application/json');
      assert.equal(headers['user-agent'], `Chartgate-Webhooks/1.0 (+${service.baseUrl}/docs/webhooks)`);
      assert.match(String(headers['webhook-id']), /^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
      assert.match(String(headers['webhook-signature']), /^v1,[\w+/]{43}=$/);
      const { data, timestamp, ...envelope } = json;
      assert.deepEqual(envelope, {
        type: 'consent.withdrawn',
        apiVersion: 1,
        deliveryAttempt: 1,
        organizationId: service.organization.organizationId,
        projectId: patient.projectId,
      });
      assert.equal(data.patientId, patient.id);
      assert.equal(data.withdrawnAt, timestamp);
      assert.throws(() => receiver.verify(secret, { ...received, body: received.body.replace('1', '2') }));
    });

    it('uses one webhook-id for all endpoints, each with its own signature', async () => {
      const eventTypes = ['consent.withdrawn'];
      const first = await createWebhook({ eventTypes });
      const second = await createWebhook({ eventTypes, url: receiver.url('/other') });
      await withdraw();
      await receiver.waitForRequests(2);
      const byPath = new Map(receiver.received.map((received) => [received.path, received]));
      const [one, other] = [byPath.get('/hook'), byPath.get('/other')];
      assert.ok(one && other);
      assert.equal(one.headers['webhook-id'], other.headers['webhook-id']);
      receiver.verify(first.secret, one);
      receiver.verify(second.secret, other);
      assert.throws(() => receiver.verify(second.secret, one));
    });

    it('makes eight attempts over 33 hours and 5 seconds and keeps the exhausted delivery', async () => {
      const { id, secret } = await createWebhook({ eventTypes: ['consent.withdrawn'] });
      receiver.respond = () => ({ status: 503, body: 'out of order' });
      await withdraw();
      await receiver.waitForRequests(1);
      await service.worker.drain();
      const eventId = receiver.received[0]?.headers['webhook-id'];
      const offsets = [5, 305, 2105, 9305, 27_305, 63_305, 118_805];
      const started = service.clock.now().getTime();
      for (const [index, offset] of offsets.entries()) {
        admin = await getOrganizationToken(service);
        const { status, nextAttemptAt, attempts } = await findDelivery(id, eventId);
        assert.deepEqual([status, attempts], ['retrying', index + 1]);
        const due = new Date(nextAttemptAt).getTime();
        const delay = (offset - (offsets[index - 1] ?? 0)) * 1000;
        const most = Math.min(delay * 0.1, 900_000) + 3000;
        assert.ok(
          Math.abs(due - started - offset * 1000) <= most,
          `retry ${index + 1} is due at ${offset} s`,
        );
        service.clock.advance(due - service.clock.now().getTime() - 2000);
        await service.worker.drain();
        assert.equal(receiver.received.length, index + 1, 'not before its time');
        service.clock.advance(2000);
        await service.worker.drain();
        assert.equal(receiver.received.length, index + 2);
      }
      admin = await getOrganizationToken(service);
      const { status, reason, attemptLog } = await findDelivery(id, eventId);
      assert.deepEqual([status, reason], ['exhausted', 'retries_used_up']);
      assert.deepEqual(
        attemptLog.map((attempt: { deliveryAttempt: number }) => attempt.deliveryAttempt),
        [8, 7, 6, 5, 4, 3, 2, 1],
      );
      assert.deepEqual(
        receiver.received.map(({ json }) => json.deliveryAttempt),
        [1, 2, 3, 4, 5, 6, 7, 8],
      );
      for (const received of receiver.received) {
        assert.equal(received.headers['webhook-id'], eventId);
        assert.equal(received.json.timestamp, receiver.received[0]?.json.timestamp);
      }
      receiver.verify(secret, receiver.received.at(-1) as ReceivedRequest);
      const stamps = new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp']));
      assert.equal(stamps.size, 8);
      service.clock.advance(7 * 24 * 3600_000);
      await service.worker.drain();
      assert.equal(receiver.received.length, 8);
    });

    it('is not delayed by another endpoint that hangs or fails', async () => {
      await createWebhook({
        url: receiver.url('/hangs'),
        eventTypes: ['consent.granted', 'consent.withdrawn'],
      });
      await createWebhook({
        url: receiver.url('/well'),
        eventTypes: ['consent.granted', 'consent.withdrawn'],
      });
      const hanging: (() => void)[] = [];
      receiver.respond = async ({ path }) => {
        if (path === '/hangs') await new Promise<void>((resolve) => void hanging.push(resolve));
        return { status: 200 };
      };
      for (let time = 0; time < 15; time++) await withdraw();
      await receiver.waitForRequests(
        (received) => received.filter(({ path }) => path === '/well').length === 30,
      );
      assert.ok(receiver.received.filter(({ path }) => path === '/hangs').length < 10);
      receiver.respond = () => ({ status: 200 });
      for (const answer of hanging) answer();
      await service.worker.drain();
      assert.equal(
        new Set(listWithdrawals().map(({ path, headers }) => path + String(headers['webhook-id']))).size,
        30,
      );
    });

    for (const [name, reply, fault] of [
      ['a redirect, which is not followed', { status: 307, headers: { location: '/elsewhere' } }, 'redirect'],
      ['a connection that breaks', { status: 200, reset: true }, 'connection_failed'],
      ['an error', { status: 500 }, 'status'],
      ['a switch of protocols', { status: 304 }, 'redirect'],
    ] as const)
      it(`counts as a failed attempt: ${name}`, async () => {
        const { id } = await createWebhook({ eventTypes: ['consent.withdrawn'] });
        receiver.respond = () => reply;
        await withdraw();
        await receiver.waitForRequests(1);
        await service.worker.drain();
        const { status, attemptLog } = await findDelivery(id, receiver.received[0]?.headers['webhook-id']);
        assert.equal(status, 'retrying');
        assert.equal(attemptLog[0].fault, fault);
        assert.ok(!receiver.received.some(({ path }) => path === '/elsewhere'));
      });

    it('suspends a webhook whose endpoint answers 410', async () => {
      const { id } = await createWebhook({ eventTypes: ['consent.withdrawn'] });
      receiver.respond = () => ({ status: 410 });
      await withdraw();
      await receiver.waitForRequests(1);
      await service.worker.drain();
      const eventId = receiver.received[0]?.headers['webhook-id'];
      assert.deepEqual((({ status, reason }) => [status, reason])(await findDelivery(id, eventId)), [
        'exhausted',
        'gone',
      ]);
      const { body } = await call(service, getWebhookPath(id), { token: admin });
      assert.equal(body.status, 'suspended');
      await withdraw();
      await service.worker.drain();
      assert.equal(receiver.received.length, 1);
      const dropped = await call(service, `${getWebhookPath(id)}/deliveries?status=dropped`, {
        token: admin,
      });
      assert.deepEqual(
        dropped.body.results.map((delivery: { reason: string }) => delivery.reason),
        ['suspended'],
      );
    });

    it('ignores late answers of the old URL after a change of the URL', async () => {
      const { id } = await createWebhook({ eventTypes: ['consent.withdrawn'], url: receiver.url('/old') });
      receiver.respond = async ({ path }) => {
        if (path !== '/old') return { status: 204 };
        await call(service, getWebhookPath(id), {
          method: 'PATCH',
          token: admin,
          json: { url: receiver.url('/new') },
        });
        return { status: 410 };
      };
      await withdraw();
      await receiver.waitForRequests(2);
      await service.worker.drain();
      assert.deepEqual(
        receiver.received.map(({ path }) => path),
        ['/old', '/new'],
      );
      const { body } = await call(service, getWebhookPath(id), { token: admin });
      assert.deepEqual([body.status, body.failing, body.deliveries.exhausted], ['active', null, 0]);
    });

    it('is repeated by another node when a node dies during an attempt, and only then', async () => {
      const { id } = await createWebhook({ eventTypes: ['consent.withdrawn'] });
      await withdraw();
      await receiver.waitForRequests(1);
      await service.worker.drain();
      // The state that a node leaves when it dies after the acknowledgement and before the result is stored.
      await service.store.db.query(sql`
        update webhook_delivery set state = 'pending', attempts = 0, claims = 1, leased_by = gen_random_uuid(),
          leased_until = ${new Date(service.clock.now().getTime() + 15_000)} where webhook_id = ${id}`);
      service.clock.advance(14_000);
      await service.worker.drain();
      assert.equal(receiver.received.length, 1);
      service.clock.advance(1000);
      await service.worker.drain();
      assert.deepEqual(
        receiver.received.map(({ json }) => json.deliveryAttempt),
        [1, 1],
      );
    });

    it('counts repeated crashes during a delivery as one failed attempt', async () => {
      const { id } = await createWebhook({ eventTypes: ['consent.withdrawn'] });
      receiver.respond = () => ({ status: 500 });
      await withdraw();
      await receiver.waitForRequests(1);
      await service.worker.drain();
      await service.store.db.query(sql`
        update webhook_delivery set claims = 20, due_at = ${service.clock.now()} where webhook_id = ${id}`);
      await service.worker.drain();
      assert.equal(receiver.received.length, 1);
      const eventId = receiver.received[0]?.headers['webhook-id'];
      const { status, attempts, attemptLog } = await findDelivery(id, eventId);
      assert.deepEqual([status, attempts, attemptLog.length], ['retrying', 2, 1]);
    });

    it('signs with the new and the old secret until the old one expires', async () => {
      const { id, secret: old } = await createWebhook({ eventTypes: ['consent.withdrawn'] });
      const { body } = await call(service, `${getWebhookPath(id)}/rotate-secret`, {
        token: admin,
        json: { overlapSeconds: 3600 },
      });
      await withdraw();
      await receiver.waitForRequests(1);
      const [both] = receiver.received;
      assert.ok(both);
      receiver.verify(old, both);
      receiver.verify(body.secret, both);
      const [first] = String(both.headers['webhook-signature']).split(' ');
      receiver.verify(body.secret, { ...both, headers: { ...both.headers, 'webhook-signature': first } });
      service.clock.advance(3601_000);
      await signInAnew();
      await withdraw();
      await receiver.waitForRequests(2);
      const alone = receiver.received[1];
      assert.ok(alone);
      receiver.verify(body.secret, alone);
      assert.throws(() => receiver.verify(old, alone));
    });

    it('stores an excerpt of an answer without personal data and secrets', async () => {
      const { id } = await createWebhook({ eventTypes: ['consent.withdrawn'] });
      receiver.respond = () => ({
        status: 422,
        headers: { 'content-type': 'text/plain', 'set-cookie': 'session=abc', 'retry-after': '7' },
        body: `ada.elm@clinic.example cannot be found\u0000 by Bearer abcdefgh12345678${' and so on'.repeat(2000)}`,
      });
      await withdraw();
      await receiver.waitForRequests(1);
      await service.worker.drain();
      const { attemptLog } = await findDelivery(id, receiver.received[0]?.headers['webhook-id']);
      const { status, headers, body, truncated } = attemptLog[0].response;
      assert.deepEqual([status, truncated, headers['retry-after']], [422, true, '7']);
      assert.equal(headers['set-cookie'], undefined);
      assert.match(body, /^\[redacted\] cannot be found\ufffd by \[redacted\] and so on/);
      assert.ok(Buffer.byteLength(body) <= 4096 + 100);
    });
  });
