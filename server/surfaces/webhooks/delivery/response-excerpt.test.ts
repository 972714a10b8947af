import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_EXCERPT_BYTES } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { buildExcerpt } from './response-excerpt.ts';

const excerpt = (body: string | Buffer, headers = {}) =>
  buildExcerpt({ status: 500, headers, body: Buffer.from(body) });

describe('the stored excerpt of an endpoint’s answer', () => {
  for (const [said, kept] of [
    ['no patient ada.elm@clinic.example', 'no patient [redacted]'],
    ['ünïcode@klinik.example und mehr', '[redacted] und mehr'],
    ['Authorization: Bearer abc.def-123456', 'Authorization: [redacted]'],
    ['token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln!', 'token [redacted]!'],
    ['signed with whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'signed with [redacted]'],
    ['key sk_live_4eC39HqLyjWDarjtT1zdp7dc', 'key [redacted]'],
    ['SSN 078-05-1120', 'SSN [redacted]'],
    ['call +1 (555) 010-9988 now', 'call [redacted] now'],
    ['digest 9f86d081884c7d659a2feaa0c55ad015', 'digest [redacted]'],
    ['{"error":"invalid signature","code":42}', '{"error":"invalid signature","code":42}'],
    ['{"api_key": "ak_live_12", "password":"hunter2"}', '{"api_key": [redacted], "password":[redacted]}'],
    ["client_secret='s3cret'; x-api-key: k1", 'client_secret=[redacted]; x-api-key: [redacted]'],
    [
      'https://u:pw@host.example/x?token=T1&page=2',
      'https://[redacted]@host.example/x?token=[redacted]&page=2',
    ],
    [
      'see https://host.example/cb?code=c1&state=s1',
      'see https://host.example/cb?code=[redacted]&state=[redacted]',
    ],
    [
      '{"error":"invalid_token"} {"status":"token expired"}',
      '{"error":"invalid_token"} {"status":"token expired"}',
    ],
    ['at 2026-03-01T12:00:00.123Z in 1200 ms', 'at 2026-03-01T12:00:00.123Z in 1200 ms'],
    ['\u0000\u001b[31mred\u009b', '\ufffd\ufffd[31mred\ufffd'],
    ['two\r\n\tlines', 'two\ufffd\n\tlines'],
  ] as const)
    it(`turns ${JSON.stringify(said)} into ${JSON.stringify(kept)}`, () =>
      assert.equal(excerpt(said).body, kept));

  it('is truncated, also within a character, and marked as truncated', () => {
    const { body, truncated } = excerpt(`${'x'.repeat(MAX_EXCERPT_BYTES - 1)}é`);
    assert.equal(truncated, true);
    assert.equal(body, `${'x'.repeat(MAX_EXCERPT_BYTES - 1)}\ufffd`);
    assert.equal(excerpt('x').truncated, false);
  });

  it('holds the listed headers, without their secrets', () => {
    const headers = {
      'content-type': 'text/plain',
      'retry-after': '120',
      'set-cookie': ['session=1'],
      'www-authenticate': 'Bearer realm="x"',
      location: 'https://login.example/?user=ada@clinic.example',
    };
    assert.deepEqual(excerpt('', headers).headers, {
      'content-type': 'text/plain',
      location: 'https://login.example/?user=[redacted]',
      'retry-after': '120',
    });
  });

  it('is built quickly for bodies made to slow the patterns down', () => {
    for (const hostile of [
      'a@',
      '1 ',
      'a.',
      '1-',
      'eyJa',
      'bearer ',
      '%+-._',
      'a-',
      'token',
      'token:"',
      'a://',
    ])
      excerpt(hostile.repeat(MAX_EXCERPT_BYTES));
  });
});
