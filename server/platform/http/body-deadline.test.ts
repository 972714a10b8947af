import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastify from 'fastify';
import { countTimers } from '../../../test/harness/count-timers.ts';
import { createSilenceCheck, limitBodyTimes } from './body-deadline.ts';

describe('limitBodyTimes', () => {
  it('keeps no process alive for a request that was cut off before its hook', async () => {
    const app = fastify();
    app.addHook('onRequest', async ({ raw }) => {
      raw.destroy();
      await new Promise((resolve) => setImmediate(resolve));
    });
    limitBodyTimes(app);
    app.post('/', async () => ({}));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const before = countTimers();
    await assert.rejects(fetch(app.listeningOrigin, { method: 'POST', body: 'a body' }));
    await app.close();
    assert.equal(countTimers(), before);
  });
});

describe('createSilenceCheck', () => {
  it('reports a socket that received nothing during all checks of its time, and no other', () => {
    const socket = { bytesRead: 100 };
    let silences = 0;
    const check = createSilenceCheck(socket, () => silences++);
    for (let index = 0; index < 11; index++) check();
    assert.equal(silences, 0);
    socket.bytesRead++;
    for (let index = 0; index < 12; index++) check();
    assert.equal(silences, 0, 'one byte begins the time anew');
    check();
    assert.equal(silences, 1);
  });
});
