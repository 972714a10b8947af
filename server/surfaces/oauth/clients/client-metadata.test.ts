import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validateClientMetadata } from './client-metadata.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';

const URI = 'https://agent.example/cb';

const refusedAs = (code: string, detail: RegExp) => (error: unknown) =>
  error instanceof Refusal && error.status === 400 && error.code === code && detail.test(error.message);

describe('what a client says of itself', () => {
  it('is enough as one redirect URI', () => {
    assert.deepEqual(validateClientMetadata({ redirect_uris: [URI] }), {
      clientName: null,
      redirectUris: [URI],
      grantTypes: null,
      scope: 'patient/*.read offline_access',
    });
  });

  it('is kept, each thing once', () => {
    assert.deepEqual(
      validateClientMetadata({
        client_name: ' Claude ',
        redirect_uris: [URI, 'cursor://x/cb', URI],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', 'authorization_code'],
        response_types: ['code'],
        scope: 'patient/*.read',
      }),
      {
        clientName: 'Claude',
        redirectUris: [URI, 'cursor://x/cb'],
        grantTypes: ['authorization_code', 'refresh_token'],
        scope: 'patient/*.read',
      },
    );
    assert.equal(validateClientMetadata({ client_name: '  ', redirect_uris: [URI] }).clientName, null);
  });

  it('is narrowed to the scopes there are, and to all of them when it names none', () => {
    const scope = (text: string) => validateClientMetadata({ redirect_uris: [URI], scope: text }).scope;
    assert.equal(
      scope('openid offline_access patient/*.read patient/*.write'),
      'patient/*.read offline_access',
    );
    assert.equal(scope('offline_access'), 'offline_access');
    for (const text of ['', ' ', 'openid profile', '*', 'PATIENT/*.read', 'patient/*.read,offline_access']) {
      assert.equal(scope(text), 'patient/*.read offline_access', text);
    }
  });

  it('is refused for one bad redirect URI, by its position', () => {
    for (const bad of ['javascript:alert(1)', 'http://agent.example/cb', 'https://agent.example/cb#x', '']) {
      assert.throws(
        () => validateClientMetadata({ redirect_uris: [URI, bad] }),
        refusedAs('invalid_redirect_uri', /^redirect_uris\[1\] (?!.*alert)/),
      );
    }
    for (const count of [0, 21, 2000]) {
      assert.throws(
        () =>
          validateClientMetadata({ redirect_uris: Array.from({ length: count }, (_, at) => `${URI}/${at}`) }),
        refusedAs('invalid_redirect_uri', /1 to 20/),
      );
    }
    const most = Array.from({ length: 20 }, (_, at) => `${URI}/${at}`);
    assert.equal(validateClientMetadata({ redirect_uris: most }).redirectUris.length, 20);
  });

  it('is refused for what is not ours to give', () => {
    for (const [field, values] of Object.entries({
      token_endpoint_auth_method: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'NONE',
        '',
      ],
      grant_types: [
        [],
        ['refresh_token'],
        ['password', 'implicit'],
        ['authorization_code', 'implicit'],
        ['authorization_code', 'client_credentials'],
        ['constructor'],
      ],
      response_types: [[], ['token'], ['code', 'token'], ['code token'], ['code', 'code']],
      client_name: ['Cla\u202eude', 'x'.repeat(201), 'a\u0000b'],
    })) {
      for (const value of values) {
        assert.throws(
          () => validateClientMetadata({ redirect_uris: [URI], [field]: value }),
          refusedAs('invalid_client_metadata', new RegExp(`^${field} must`)),
          `${field} ${JSON.stringify(value)}`,
        );
      }
    }
  });
});
