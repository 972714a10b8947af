import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEngineTurns } from './engine-turns.ts';

const call = { isImport: false };
const upload = { isImport: true };

describe('turns of the embedded engine', () => {
  let now = 0;
  const run = (
    turns: ReturnType<typeof createEngineTurns>,
    user: { isImport: boolean },
    ms: number,
  ): void => {
    now += ms;
    turns.count(user, ms, true);
  };

  it('are taken in order while no import has had one', () => {
    const turns = createEngineTurns(() => now);
    assert.equal(turns.choose([]), 0);
    assert.equal(turns.choose([upload, call]), upload);
  });

  it('lets the statements of a call wait for one turn of an import, not one each (case 353)', () => {
    const turns = createEngineTurns(() => now);
    run(turns, upload, 80);
    for (let statement = 0; statement < 4; statement++) {
      assert.equal(turns.choose([upload, call]), call);
      run(turns, call, 10);
      assert.equal(turns.choose([upload]), 5, 'the next statement of the call is on its way');
      now += 2;
    }
  });

  it('lets imports go on when the others are done, or have had as long', () => {
    const turns = createEngineTurns(() => now);
    run(turns, upload, 80);
    assert.equal(turns.choose([upload]), upload, 'nobody else is there');
    run(turns, call, 10);
    now += 5;
    assert.equal(turns.choose([upload]), upload);
    run(turns, call, 70);
    assert.equal(turns.choose([upload, call]), upload);
  });

  it('counts all statements of the transaction of an import', () => {
    const turns = createEngineTurns(() => now);
    turns.count(upload, 30, true);
    turns.count(upload, 30, false);
    run(turns, call, 40);
    assert.equal(turns.choose([upload, call]), call);
    run(turns, call, 20);
    assert.equal(turns.choose([upload, call]), upload);
  });
});
