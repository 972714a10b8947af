import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastify from 'fastify';
import { redactLogLine } from './redact-log.ts';

const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJwYXRpZW50In0.c2lnbmF0dXJl';
const SECRET = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE';

/** What libraries might log, each with a secret in it. */
const LINES: readonly object[] = [
  { busboyOptions: { headers: { authorization: `Bearer ${TOKEN}` }, limits: { parts: 30 } } },
  { busboyOptions: { headers: { cookie: `__Host-chartgate-session=${SECRET}` } } },
  { raw: { rawHeaders: ['x-secret', SECRET] } },
  { res: { headers: { 'set-cookie': [`a=${SECRET}`] } } },
  { options: [{ Set_Cookie: SECRET }] },
  { url: `/callback?code=${SECRET}&state=${SECRET}` },
  { msg: `sent Bearer ${SECRET} to us` },
  { msg: `token ${TOKEN} refused` },
  { msg: `code=${SECRET}` },
  { body: { refresh_token: SECRET, code_verifier: SECRET, code: `cgc_${SECRET}` } },
  { body: { email: 'kept', password: SECRET, newPassword: SECRET } },
  { err: { message: `invalid whsec_${SECRET}` } },
  { text: `cgs_${SECRET}` },
];

describe('redactLogLine', () => {
  for (const line of LINES)
    it(`leaves no secret in ${JSON.stringify(line).replaceAll(SECRET, '…').replaceAll(TOKEN, '…')}`, () => {
      const redacted = redactLogLine(JSON.stringify(line));
      assert.ok(!redacted.includes(SECRET.slice(0, 12)) && !redacted.includes(TOKEN.slice(0, 12)), redacted);
      assert.ok(redacted.includes('[redacted]'));
      assert.doesNotThrow(() => JSON.parse(redacted) as unknown);
    });

  it('leaves what operators need: codes of errors, names of tables, ids', () => {
    const line = {
      level: 50,
      code: 'invalid_grant',
      err: { code: 'ECONNRESET', type: 'Error' },
      batch: SECRET,
      n: 1,
    };
    assert.deepEqual(JSON.parse(redactLogLine(JSON.stringify(line))), line);
    for (const code of ['57P01', 'FST_ERR_CTP_BODY_TOO_LARGE', 404])
      assert.deepEqual(JSON.parse(redactLogLine(JSON.stringify({ code }))), { code });
  });

  it('redacts a line that is no JSON by its patterns', () => {
    assert.equal(redactLogLine(`{broken Bearer ${SECRET}`), '{broken Bearer [redacted]');
  });

  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)
    it(`runs in the logger itself, for children too, at ${level}`, () => {
      const lines: string[] = [];
      const stream = { write: (line: string) => void lines.push(line) };
      const app = fastify({ logger: { level: 'trace', stream, hooks: { streamWrite: redactLogLine } } });
      app.log[level]({ headers: { cookie: SECRET } }, `Bearer ${SECRET}`);
      app.log.child({ token: SECRET })[level](`password=${SECRET}`);
      assert.equal(lines.length, 2);
      assert.ok(!lines.join('').includes(SECRET), lines.join(''));
    });
});
