import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { createSecretSeal, type SecretPurpose } from './secret-seal.ts';
import {
  countStoredSecrets,
  sealStoredSecrets,
  type SecretStore,
  type StoredSecret,
} from './stored-secrets.ts';

const [older, newer] = [randomBytes(32), randomBytes(32)];
const purpose: SecretPurpose = 'member-totp:one';

describe('the seal of stored secrets', () => {
  it('opens for its purpose with its key alone, and not once a character was changed', async () => {
    const seal = createSecretSeal([older]);
    const stored = await seal.seal(purpose, 'JBSWY3DPEHPK3PXP');
    assert.doesNotMatch(stored, /JBSWY3DP/);
    assert.notEqual(await seal.seal(purpose, 'JBSWY3DPEHPK3PXP'), stored);
    assert.equal(await seal.open(purpose, stored), 'JBSWY3DPEHPK3PXP');
    assert.equal(await createSecretSeal([older]).open(purpose, stored), 'JBSWY3DPEHPK3PXP');
    await assert.rejects(seal.open('member-totp:two', stored), /another purpose/);
    const missing = { status: 503, code: 'secrets_key_missing', reason: /CHARTGATE_SECRETS_KEY lacks/ };
    await assert.rejects(createSecretSeal([newer]).open(purpose, stored), missing);
    await assert.rejects(createSecretSeal([]).open(purpose, stored), missing);
    for (const part of [2, 3, 4]) {
      const parts = stored.split('.');
      parts[part] = `${parts[part]?.startsWith('A') ? 'B' : 'A'}${parts[part]?.slice(1)}`;
      await assert.rejects(seal.open(purpose, parts.join('.')), { code: 'ERR_JWE_DECRYPTION_FAILED' });
    }
    const [header, ...rest] = stored.split('.');
    const claims = JSON.parse(Buffer.from(header ?? '', 'base64url').toString()) as object;
    const renamed = Buffer.from(JSON.stringify({ ...claims, sub: 'member-totp:two' })).toString('base64url');
    await assert.rejects(seal.open('member-totp:two', [renamed, ...rest].join('.')), {
      code: 'ERR_JWE_DECRYPTION_FAILED',
    });
  });

  it('leaves secrets as they are without a key, and takes nobody else’s encrypted token for its own', async () => {
    const none = createSecretSeal([]);
    assert.equal(await none.seal(purpose, 'whsec_1'), 'whsec_1');
    const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
    for (const plain of ['whsec_1', 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln', `${header}..aaaa.bbbb.cccc`])
      for (const seal of [none, createSecretSeal([older])]) {
        assert.equal(seal.getState(plain), 'plain');
        assert.equal(await seal.open(purpose, plain), plain);
      }
  });

  it('goes over the store: plain secrets and those of an older key are sealed under the first, and the rest is named', async () => {
    const before = createSecretSeal([older]);
    const secrets: StoredSecret[] = [
      { purpose: 'member-totp:plain', stored: 'one' },
      { purpose: 'webhook:older', stored: await before.seal('webhook:older', 'two') },
      {
        purpose: 'webhook:lost',
        stored: await createSecretSeal([randomBytes(32)]).seal('webhook:lost', 'x'),
      },
      { purpose: 'source-key:plain', stored: 'three' },
    ];
    const store: SecretStore = {
      list: async () => [...secrets],
      replace: async (secret, sealed) =>
        secrets.splice(secrets.indexOf(secret), 1, { purpose: secret.purpose, stored: sealed }),
    };
    const now = createSecretSeal([newer, older]);
    assert.deepEqual(await countStoredSecrets(now, [store]), {
      plain: 2,
      current: 0,
      previous: 1,
      unknown: 1,
    });
    await assert.rejects(sealStoredSecrets(now, [store], new AbortController().signal), /1 secrets/);
    assert.deepEqual(await countStoredSecrets(now, [store]), {
      plain: 0,
      current: 3,
      previous: 0,
      unknown: 1,
    });
    const later = createSecretSeal([newer]);
    const opened = secrets.filter(({ purpose: each }) => each !== 'webhook:lost');
    assert.deepEqual(await Promise.all(opened.map(({ purpose: each, stored }) => later.open(each, stored))), [
      'one',
      'two',
      'three',
    ]);
  });
});
