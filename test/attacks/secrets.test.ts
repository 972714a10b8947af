import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql, type Sql } from '../../server/platform/db/sql.ts';
import {
  obtainCode,
  exchangeCode,
  newFlow,
  refresh,
  obtainTokens,
  type Flow,
} from '../harness/authorization.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { INVALID_GRANT, getStatusAndError, UNLIMITED } from './attack.ts';

const SERVER = path.resolve(import.meta.dirname, '../../server');
const readText = (file: string): string => fs.readFileSync(path.join(SERVER, file), 'utf8');
const sources = fs
  .readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));

/** What compares each kind of secret that somebody sends; whatever else there is, is looked up by its hash. */
const COMPARERS: Readonly<Record<string, RegExp>> = {
  'platform/kernel/secret.ts': /verifySecret[\s\S]*timingSafeEqual\(hashSecret\(secret\), storedHash\)/,
  'platform/http/browser-context.ts': /length === other\.length && timingSafeEqual/,
  'surfaces/oauth/tokens/exchange-code.ts':
    /timingSafeEqual\(Buffer\.from\(computed\), Buffer\.from\(challenge\)\)/,
  'surfaces/oauth/tokens/refresh-token.ts':
    /timingSafeEqual\(Buffer\.from\(computeMac\(secret, signed\)\), Buffer\.from\(mac\)\)/,
};

describe('secrets that are sent', () => {
  it('case 65: are compared in constant time, each in one place', () => {
    const found = sources.filter((file) => /\btimingSafeEqual\(/.test(readText(file)));
    assert.deepEqual(found.sort(), Object.keys(COMPARERS).sort());
    for (const [file, pattern] of Object.entries(COMPARERS)) assert.match(readText(file), pattern, file);
  });

  it('case 65: are nowhere compared in another way', () => {
    const word = String.raw`\w*(?:[sS]ecret|[hH]ash|[mM]ac|[vV]erifier|[cC]hallenge|[pP]assword|csrfToken|[sS]ignature|[cC]ookie|refresh_token|refreshToken)`;
    const value = String.raw`[\w.?!]*\b${word}\b`;
    const compared = new RegExp(
      `${value}\\s*[!=]==|[!=]==\\s*${value}|\\b${word}\\.(?:startsWith|includes|localeCompare|indexOf)\\(`,
    );
    const withNothing = /[\w.]+ [!=]== (undefined|null|'')/g;
    const keepers = sources.filter((file) =>
      /^(identity|platform\/(http|kernel|keys)|surfaces\/(oauth|webhooks)|consent\/grants)\//.test(file),
    );
    assert.ok(keepers.length > 50);
    const lines = keepers.flatMap((file) =>
      readText(file)
        .split('\n')
        .filter((line) => compared.test(line.replaceAll(withNothing, '')) && !/^\s*(\*|\/\/|\/\*)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(lines, []);
    for (const line of [
      'if (secret === given)',
      'x !== row.code_hash',
      'a.csrfToken!==b',
      'mac.startsWith(x)',
    ])
      assert.match(line, compared);
  });

  describe('and their store', () => {
    let service: TestService;
    let flow: Flow;
    before(async () => {
      service = await startTestService({ environment: UNLIMITED });
      flow = await newFlow(service);
    });
    after(() => service.stop());

    it('case 65: are looked up by hash: no table holds one that could be read and sent', async () => {
      const open = await obtainCode(flow);
      const tokens = await obtainTokens(service, flow);
      const tables = await service.store.db.query(
        sql<{
          name: string;
        }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
      );
      const secrets = [
        open,
        flow.pkce.verifier,
        tokens.access_token,
        tokens.refresh_token,
        flow.patient.password,
        ...flow.browser.cookies.values(),
      ];
      // A session's cookie is `patient.secret`.
      const needles = secrets
        .flatMap((secret) => [secret, secret.split('.').at(-1) as string])
        .flatMap((secret) => [
          secret,
          Buffer.from(secret).toString('hex'),
          Buffer.from(secret, 'base64url').toString('hex'),
        ]);
      for (const { name } of tables) {
        const statement: Sql<{ all: string }> = {
          text: `select coalesce(string_agg(t::text, ' '), '') as all from "${name}" t`,
          values: [],
        };
        const [row] = await service.store.db.query(statement);
        for (const needle of needles)
          assert.ok(!row?.all.includes(needle), `${name}: ${needle.slice(0, 8)}…`);
      }
    });

    it('case 65: of any length are refused alike', async () => {
      const tokens = await obtainTokens(service, flow);
      const [key, content, mac = ''] = (tokens.refresh_token as string).split('.');
      const clientId = flow.client.client_id as string;
      const bodies = new Set<string>();
      for (const wrong of [
        '',
        'A',
        mac.slice(1),
        `${mac}A`,
        'A'.repeat(43),
        'A'.repeat(86),
        mac.toLowerCase() === mac ? mac.toUpperCase() : mac.toLowerCase(),
      ]) {
        const answer = await refresh(service, clientId, `${key}.${content}.${wrong}`);
        assert.deepEqual(getStatusAndError(answer), INVALID_GRANT);
        bodies.add(JSON.stringify(answer.body));
      }
      const code = await obtainCode(flow);
      for (const wrong of [
        'x',
        'A'.repeat(43),
        'A'.repeat(256),
        'A'.repeat(257),
        '☃'.repeat(43),
        flow.pkce.challenge,
      ]) {
        const answer = await exchangeCode(service, flow, code, { code_verifier: wrong });
        assert.deepEqual(getStatusAndError(answer), INVALID_GRANT);
        bodies.add(JSON.stringify(answer.body));
      }
      for (const wrong of ['x', code.slice(0, -1), `${code}A`, code.toUpperCase()]) {
        const answer = await exchangeCode(service, flow, wrong);
        assert.deepEqual(getStatusAndError(answer), INVALID_GRANT);
        bodies.add(JSON.stringify(answer.body));
      }
      assert.equal(bodies.size, 1, 'one answer for every reason');
      for (const proof of ['', 'A', 'A'.repeat(43), 'A'.repeat(44), '☃'.repeat(43), '☃'.repeat(14)]) {
        const header = Buffer.from(proof).toString('latin1');
        const answer = await flow.browser.post('/account/sign-out', undefined, { 'x-csrf-token': header });
        assert.equal(answer.status, 403, proof);
      }
    });
  });
});
