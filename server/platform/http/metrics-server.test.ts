import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Counter, Registry } from 'prom-client';
import { Refusal } from '../kernel/refusal.ts';
import { areServed, listenForMetrics, requireMetricsToken } from './metrics-server.ts';

const TOKEN = 'a-token-of-sixteen';

describe('metrics', () => {
  const registry = new Registry();
  new Counter({ name: 'things_total', help: 'Things', registers: [registry] }).inc(3);

  it('are served on a port of their own, to GET of one path alone', async () => {
    const server = await listenForMetrics(registry, { host: '127.0.0.1', port: 0, token: null });
    try {
      const answer = await fetch(server.address);
      assert.equal(answer.headers.get('content-type'), registry.contentType);
      assert.match(await answer.text(), /^things_total 3$/m);
      assert.equal((await fetch(server.address, { method: 'POST' })).status, 405);
      assert.equal((await fetch(new URL('/', server.address))).status, 404);
    } finally {
      await server.close();
    }
  });

  it('need the token there too where one is configured', async () => {
    const server = await listenForMetrics(registry, { host: '127.0.0.1', port: 0, token: TOKEN });
    try {
      const ask = async (authorization: string): Promise<number> =>
        (await fetch(server.address, { headers: { authorization } })).status;
      assert.deepEqual([await ask(''), await ask(`Bearer ${TOKEN.slice(1)}`)], [401, 401]);
      assert.equal(await ask(`Bearer ${TOKEN}`), 200);
    } finally {
      await server.close();
    }
  });

  it('are not served on the public port without a token (404), nor to another one (401)', () => {
    const status = (token: string | null, authorization?: string): number | null => {
      try {
        requireMetricsToken({ port: 9464, token }, authorization);
        return null;
      } catch (error) {
        return error instanceof Refusal ? error.status : -1;
      }
    };
    assert.equal(status(null), 404);
    assert.equal(status(null, 'Bearer x'), 404);
    assert.equal(status('metrics-token-0001'), 401);
    assert.equal(status('metrics-token-0001', 'Bearer metrics-token-0002'), 401);
    assert.equal(status('metrics-token-0001', 'Bearer metrics-token-0001'), null);
  });

  it('can be read where they have a port or a token, and are not counted otherwise', () => {
    assert.equal(areServed({ port: null, token: null }), false);
    assert.equal(areServed({ port: 9464, token: null }), true);
    assert.equal(areServed({ port: null, token: TOKEN }), true);
  });
});
