import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { holdWrites } from './hold-writes.ts';

it('writes what is sent in a turn of the event loop at once, and what is sent in the next one after it', async () => {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      writes.push(text);
      done();
    },
    writev: (chunks, done) => {
      writes.push(chunks.map(({ chunk }) => chunk as string).join(' '));
      done();
    },
  });
  const client = { connection: { stream } } as unknown as pg.ClientBase;
  /** As the driver does. */
  const send = (text: string): void => {
    holdWrites(client, setImmediate);
    stream.cork();
    stream.write(`bind ${text}`);
    stream.write('sync');
    stream.uncork();
  };
  send('1');
  await Promise.resolve();
  send('2');
  assert.deepEqual(writes, []);
  await nextTurn();
  assert.deepEqual(writes, ['bind 1 sync bind 2 sync']);
  send('3');
  await nextTurn();
  assert.deepEqual(writes.slice(1), ['bind 3 sync']);
});
