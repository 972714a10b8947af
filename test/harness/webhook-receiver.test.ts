import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { OutboundResponse } from '../../server/platform/outbound/request.ts';
import { generateWebhookSecret } from '../../server/surfaces/webhooks/signing.ts';
import { buildSignedHeaders } from '../../server/surfaces/webhooks/signing.ts';
import { runNode } from './process.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

describe('the webhook receiver of the tests', () => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await startWebhookReceiver();
  });
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.respond = () => ({ status: 204 });
    receiver.now = () => new Date();
  });
  after(() => receiver.stop());

  const post = (
    url: string,
    headers = {},
    { body = '{"a":1.00}', timeoutMs = 60_000 } = {},
  ): Promise<OutboundResponse> =>
    receiver.outboundClient.request({ method: 'POST', url, headers, body, timeoutMs, maxBytes: 1000 });

  it('keeps what came, and answers as the test says', async () => {
    receiver.respond = ({ json }) => ({ status: 200 + Number(json.a), headers: { 'x-a': 'b' }, body: 'yes' });
    const [answer] = await Promise.all([
      post(receiver.url('/a?b', 'one.hooks.example')),
      receiver.waitForRequests(1),
    ]);
    assert.deepEqual([answer.status, answer.headers['x-a'], String(answer.body)], [201, 'b', 'yes']);
    const [{ path, headers, body, at } = assert.fail()] = receiver.received;
    assert.equal(path, '/a?b');
    assert.match(headers.host ?? '', /^one\.hooks\.example:\d+$/);
    assert.equal(body, '{"a":1.00}');
    assert.ok(Math.abs(Date.now() - at) < 60_000);
  });

  it('verifies by the official library, at the time of the service', async () => {
    const secret = generateWebhookSecret();
    const at = new Date('2031-01-02T03:04:05Z');
    await post(
      receiver.url(),
      buildSignedHeaders([generateWebhookSecret(), secret], { id: 'evt_1', body: '{"a":1.00}', at }),
    );
    const [received = assert.fail()] = receiver.received;
    assert.throws(() => receiver.verify(secret, received), /too new/);
    receiver.now = () => at;
    assert.deepEqual(receiver.verify(secret, received), { a: 1 });
    assert.throws(() => receiver.verify(generateWebhookSecret(), received), /No matching signature/);
    assert.throws(() => receiver.verify(secret, { ...received, body: '{"a":1.0}' }), /No matching signature/);
  });

  it('hangs and resets when the test says so', async () => {
    receiver.respond = () => ({ status: 200, hang: true });
    await assert.rejects(post(receiver.url(), {}, { timeoutMs: 300 }), { reason: 'deadline' });
    receiver.respond = () => ({ status: 200, reset: true });
    await assert.rejects(post(receiver.url()), { reason: 'connection_failed' });
  });

  it('says how many came when what is waited for does not come', async () => {
    await post(receiver.url());
    await assert.rejects(receiver.waitForRequests(2, 10), /after 10 ms 1 requests had come/);
    await receiver.waitForRequests((received) => received.length === 1);
  });

  it('is trusted by a process that is given its authority', async () => {
    const ended = await runNode('test/harness/tls/post-once.ts', [receiver.localUrl()], {
      environment: { NODE_EXTRA_CA_CERTS: receiver.authorityFile },
    });
    assert.equal(ended.stdout, '204\n', ended.stderr);
    assert.equal(receiver.received.length, 1);
  });
});
