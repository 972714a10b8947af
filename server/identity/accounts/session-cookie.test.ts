import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memberLife } from '../members/member-session.ts';

const MINUTE_MS = 60_000;
const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 5, 10) + minutes * MINUTE_MS);

describe('a session of the console', () => {
  /** Begun at ten, used last after 20 minutes. */
  const used = { created_at: at(0), expires_at: at(50) };

  it('is extended by its use, at most once in five minutes and never beyond twelve hours', () => {
    assert.equal(memberLife.computeExtension(used, at(24)), null);
    assert.deepEqual(memberLife.computeExtension(used, at(26)), at(56));
    const old = { created_at: at(0), expires_at: at(715) };
    assert.deepEqual(memberLife.computeExtension(old, at(700)), at(720));
  });

  it('keeps its end while the clock is set back, and is extended again once the time has come back', () => {
    for (const minutes of [19, 0, -60, -60 * 24])
      assert.equal(memberLife.computeExtension(used, at(minutes)), null, `${minutes} minutes`);
    assert.deepEqual(memberLife.computeExtension(used, at(40)), at(70));
  });
});
