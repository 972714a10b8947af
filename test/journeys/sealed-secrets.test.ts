import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { checkSecrets } from '../../server/surfaces/doctor/check-secrets.ts';
import { createSourceSecrets } from '../../server/clinical/sources/stored-secrets.ts';
import { createMemberSecrets } from '../../server/identity/members/stored-secrets.ts';
import { createSecretSeal } from '../../server/platform/keys/secret-seal.ts';
import {
  sealStoredSecrets,
  type SecretStore,
  type StoredSecret,
} from '../../server/platform/keys/stored-secrets.ts';
import { createWebhookSecrets } from '../../server/surfaces/webhooks/registration/stored-secrets.ts';
import { newMember, getTotpCode, signInAs } from '../harness/member.ts';
import { createConsoleBrowser, MEMBER_PASSWORD } from '../harness/member.ts';
import { call, getOrganizationToken, startTestService, type TestService } from '../harness/service.ts';

const [older, newer] = [randomBytes(32), randomBytes(32)];

describe('secrets in the store', () => {
  let service: TestService;
  let stores: SecretStore[];
  before(async () => {
    const keys = [newer, older].map((key) => key.toString('base64url')).join(',');
    service = await startTestService({ environment: { CHARTGATE_SECRETS_KEY: keys } });
    const { db } = service.store;
    stores = [createMemberSecrets(db), createSourceSecrets(db), createWebhookSecrets(db)];
  });
  after(() => service.stop());

  const list = async (): Promise<StoredSecret[]> => {
    return (await Promise.all(stores.map((store) => store.list()))).flat();
  };
  const seal = async (keys: readonly Buffer[]): Promise<void> => {
    await sealStoredSecrets(createSecretSeal(keys), stores, new AbortController().signal);
  };

  it('are sealed from the beginning: of authenticator apps, connected servers and webhooks', async () => {
    const member = await newMember(service, 'owner');
    const browser = await signInAs(service, member);
    const token = await getOrganizationToken(service);
    const base = `/v1/organizations/${service.organization.organizationId}`;
    const { body: totp } = await browser.post('/console/totp');
    const { body: webhook } = await call(service, `${base}/webhooks`, {
      token,
      json: { url: 'https://hooks.example/events', eventTypes: ['consent.withdrawn'] },
    });
    const authentications = [
      { type: 'bearer', secret: 'a-bearer-secret' },
      { type: 'smart_backend_services', clientId: 'chartgate' },
    ];
    for (const authentication of authentications)
      assert.equal(
        (
          await call(service, `${base}/sources`, {
            token,
            json: {
              name: authentication.type,
              baseUrl: 'https://fhir.example/r4',
              authentication,
              matching: { by: 'demographics' },
            },
          })
        ).status,
        201,
      );
    const stored = (await list()).filter(({ stored: text }) => text !== member.totpSecret);
    assert.deepEqual(stored.map(({ purpose }) => purpose.replace(/:.*/, '')).sort(), [
      'member-totp',
      'source-bearer',
      'source-key',
      'source-key',
      'webhook',
    ]);
    const opened = createSecretSeal([newer]);
    const secrets = await Promise.all(stored.map((each) => opened.open(each.purpose, each.stored)));
    for (const secret of [totp.secret, webhook.secret, 'a-bearer-secret'])
      assert.ok(secrets.includes(secret as string));
    assert.equal(stored.filter(({ stored: text }) => secrets.includes(text)).length, 0);
  });

  it('of an older store, or under an older key, work and are sealed under the first; another key opens none', async () => {
    const member = await newMember(service, 'owner');
    const signIn = async (step: number): Promise<number> => {
      const browser = createConsoleBrowser(service);
      const { status } = await browser.post('/console/sign-in', {
        email: member.email,
        password: MEMBER_PASSWORD,
        code: getTotpCode(service, member.totpSecret, step),
      });
      return status;
    };
    assert.equal(await signIn(-1), 200);
    assert.equal((await checkSecrets(stores, [newer])).outcome, 'warning');
    await seal([older, newer]);
    assert.equal((await checkSecrets(stores, [newer, older])).outcome, 'warning');
    assert.equal(await signIn(0), 200);
    await seal([newer, older]);
    assert.equal((await checkSecrets(stores, [newer])).outcome, 'ok');
    assert.equal(await signIn(1), 200);
    assert.equal((await checkSecrets(stores, [older])).outcome, 'failed');
    assert.equal((await checkSecrets(stores, [])).outcome, 'failed');
  });

  it('under a key that the service lacks are refused by that name', async () => {
    const token = await getOrganizationToken(service);
    const webhooks = `/v1/organizations/${service.organization.organizationId}/webhooks`;
    const { body: created } = await call(service, webhooks, {
      token,
      json: { url: 'https://hooks.example/lost', eventTypes: ['consent.withdrawn'] },
    });
    await seal([randomBytes(32), newer]);
    const path = `${webhooks}/${String(created.id)}/test`;
    const { status, body } = await call(service, path, { token, method: 'POST' });
    assert.deepEqual([status, body.code], [503, 'secrets_key_missing']);
    const { body: sent } = await call(service, `${webhooks}/${String(created.id)}/deliveries`, { token });
    assert.deepEqual(sent.results, [], 'nor sent when the key is back');
    const { status: listed, body: all } = await call(service, webhooks, { token });
    assert.equal(listed, 200, 'whoever has lost a key sees what needs another secret');
    const shown = all.results.find(({ id }: { id: string }) => id === created.id);
    assert.equal(shown.secrets[0].fingerprint, null);
    const rotated = await call(service, `${webhooks}/${String(created.id)}/rotate-secret`, {
      token,
      json: { overlapSeconds: 0 },
    });
    assert.equal(rotated.status, 200);
    assert.match(rotated.body.webhook.secrets[0].fingerprint, /^[0-9a-f]{12}$/);
    const { body: source } = await call(
      service,
      `/v1/organizations/${service.organization.organizationId}/sources`,
      { token },
    );
    const bearer = source.results.find(({ name }: { name: string }) => name === 'bearer');
    const changed = await call(
      service,
      `/v1/organizations/${service.organization.organizationId}/sources/${String(bearer.id)}`,
      { token, method: 'PATCH', json: { authentication: { type: 'bearer', secret: 'another' } } },
    );
    assert.equal(changed.status, 200, 'a source gets another secret too');
    const attention = await call(
      service,
      `/v1/organizations/${service.organization.organizationId}/attention`,
      { token },
    );
    assert.ok(attention.body.results.some(({ code }: { code: string }) => code === 'secrets_lost'));
  });
});
