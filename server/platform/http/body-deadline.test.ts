import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSilenceCheck } from './body-deadline.ts';

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
