import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientRegistrationRequest } from '../../../../contract/oauth/oauth.ts';
import { parseClientName, validateClientMetadata } from './client-metadata.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';

const URI = 'https://agent.example/cb';

const refusedAs = (code: string, detail: RegExp) => (error: unknown) =>
  error instanceof Refusal && error.status === 400 && error.code === code && detail.test(error.message);

describe('validateClientMetadata', () => {
  it('accepts one redirect URI alone', () => {
    assert.deepEqual(validateClientMetadata({ redirect_uris: [URI] }), {
      clientName: null,
      redirectUris: [URI],
      grantTypes: null,
      scope: 'patient/*.read offline_access',
      about: null,
    });
  });

  it('takes null for a field that is absent', () => {
    const fields = ['client_name', 'client_uri', 'policy_uri', 'tos_uri', 'contacts', 'scope'] as const;
    const more = ['token_endpoint_auth_method', 'grant_types', 'response_types'] as const;
    const nulls = Object.fromEntries([...fields, ...more].map((name) => [name, null]));
    const metadata = ClientRegistrationRequest.parse({ ...nulls, redirect_uris: [URI] });
    assert.deepEqual(validateClientMetadata(metadata), validateClientMetadata({ redirect_uris: [URI] }));
  });

  it('returns all values, each once', () => {
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
        about: null,
      },
    );
    assert.equal(validateClientMetadata({ client_name: '  ', redirect_uris: [URI] }).clientName, null);
  });

  it('narrows the scope to supported ones, and defaults to all', () => {
    const scope = (text: string) => validateClientMetadata({ redirect_uris: [URI], scope: text }).scope;
    assert.equal(
      scope('openid offline_access patient/*.read patient/*.write'),
      'patient/*.read offline_access',
    );
    assert.equal(
      scope('openid offline_access'),
      'patient/*.read offline_access',
      'no request can be granted without it',
    );
    assert.equal(scope('openid patient/*.read'), 'patient/*.read');
    for (const text of ['', ' ', 'openid profile', '*', 'PATIENT/*.read', 'patient/*.read,offline_access']) {
      assert.equal(scope(text), 'patient/*.read offline_access', text);
    }
  });

  it('refuses a bad redirect URI by its position', () => {
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

  it('leaves out the grant and response types that the server does not support', () => {
    const granted = (types: string[]): string[] | null =>
      validateClientMetadata({ redirect_uris: [URI], grant_types: types, response_types: ['token', 'code'] })
        .grantTypes;
    assert.deepEqual(granted(['implicit', 'authorization_code']), ['authorization_code']);
    assert.deepEqual(granted(['authorization_code', 'constructor', 'refresh_token']), [
      'authorization_code',
      'refresh_token',
    ]);
  });

  it('refuses what leaves nothing that the server supports', () => {
    for (const [field, values] of Object.entries({
      token_endpoint_auth_method: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'NONE',
        '',
      ],
      grant_types: [[], ['refresh_token'], ['password', 'implicit'], ['constructor']],
      response_types: [[], ['token'], ['code token']],
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

describe('parseClientName', () => {
  it('returns a name as it is, without surrounding space', () => {
    for (const name of [
      'Claude',
      'Visual Studio Code',
      'Dr. Müller’s Agent (β) — 2.0',
      '健康アシスタント',
      'مساعد صحي',
      'สุขภาพดี',
      'हिन्दी',
      'Agent 🩺',
      'Agent \u{1f469}\u{1f3fd}\u200d\u2695\ufe0f',
      '\u2764\ufe0f Heart',
      '<script>alert(1)</script>',
      '{{name}}',
    ]) {
      assert.equal(parseClientName(name), name);
      assert.equal(parseClientName(` \n${name}\t`), name);
    }
  });

  it('accepts 1 to 200 characters', () => {
    assert.equal(parseClientName('x'.repeat(200))?.length, 200);
    assert.equal(parseClientName('🩺'.repeat(200))?.length, 400);
    for (const name of ['', ' ', '\n', 'x'.repeat(201), '🩺'.repeat(201), 'x'.repeat(40_000)]) {
      assert.equal(parseClientName(name), null);
    }
  });

  it('refuses characters that are invisible, or that hide or reorder others', () => {
    for (const code of [
      0x00, 0x07, 0x09, 0x0a, 0x0d, 0x1b, 0x7f, 0x85, 0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180e, 0x200b,
      0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0x206f, 0x2800,
      0x3164, 0xd800, 0xdfff, 0xe000, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xffff, 0xe0001, 0xe0041, 0xe0100,
      0xf0000, 0x10ffff, 0x0378,
    ]) {
      assert.equal(parseClientName(`Cla${String.fromCodePoint(code)}ude`), null, code.toString(16));
    }
  });

  it('refuses what joins emoji where it joins none', () => {
    for (const name of [
      'Cla\u200dude',
      '\u{1f469}\u200dude',
      '\u{1f469}\u200d\u200d\u2695\ufe0f',
      'Claude\ufe0f',
    ])
      assert.equal(parseClientName(name), null, name);
  });

  it('refuses marks that pile up over adjacent lines', () => {
    assert.equal(parseClientName('Clau\u0301\u0302\u0303\u0304de'), null);
    assert.notEqual(parseClientName('Việt Nam'.normalize('NFD')), null);
  });
});
