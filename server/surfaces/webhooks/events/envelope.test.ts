import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { OrganizationId, ProjectId } from '../../../../contract/brands.ts';
import { serializeEnvelope } from './envelope.ts';
import { generateWebhookSecret } from '../signing.ts';
import { buildSignedHeaders } from '../signing.ts';

const event = {
  organization_id: 'o' as OrganizationId,
  project_id: 'p' as ProjectId,
  type: 'consent.withdrawn',
  occurred_at: new Date('2026-03-01T12:00:00.123Z'),
  data: '{"nonce":"ä\\u0000","n":1.00}',
};

describe('the body of a delivery', () => {
  it('is the envelope, with the data as it is stored', () => {
    const body = serializeEnvelope(event, 3);
    assert.ok(body.endsWith(`"data":${event.data}}`));
    assert.deepEqual(JSON.parse(body), {
      type: 'consent.withdrawn',
      timestamp: '2026-03-01T12:00:00.123Z',
      apiVersion: 1,
      deliveryAttempt: 3,
      organizationId: 'o',
      projectId: 'p',
      data: JSON.parse(event.data),
    });
  });

  it('is signed with 32 bytes of each secret, in their order', () => {
    const secrets = [generateWebhookSecret(), generateWebhookSecret()];
    for (const secret of secrets)
      assert.equal(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 32);
    const message = { id: 'evt_1', body: serializeEnvelope(event, 1), at: new Date() };
    const headers = buildSignedHeaders(secrets, message);
    const signatures = headers['webhook-signature'].split(' ');
    assert.equal(signatures.length, 2);
    secrets.forEach((secret, index) => {
      const alone = { ...headers, 'webhook-signature': signatures[index] ?? '' };
      new Webhook(secret).verify(message.body, alone);
      new Webhook(secret).verify(message.body, headers);
    });
  });
});
