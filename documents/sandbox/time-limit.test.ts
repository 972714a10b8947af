import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, it } from 'node:test';
import { limitTime, MAX_TURNS, readCpuMs } from './time-limit.ts';

const isKnown = readCpuMs(process.pid) !== null;

/** Lets the timers of a limit of a second run at once, one after another; returns how many there were. */
async function countTurns(pid: number, spend: () => Promise<void>): Promise<number> {
  let turns = 0;
  const ended = Promise.withResolvers<void>();
  const wait = (look: () => void, ms: number): NodeJS.Timeout => {
    assert.equal(ms, 1_000);
    turns++;
    return setTimeout(() => void spend().then(look), 0);
  };
  limitTime({ pid, ms: 1_000, wait }, ended.resolve);
  await ended.promise;
  return turns;
}

describe('the time of a process over a document', () => {
  it('ends at once where it had its CPU time', { skip: !isKnown }, async () => {
    const spend = async (): Promise<void> => {
      const begun = readCpuMs(process.pid) as number;
      while ((readCpuMs(process.pid) as number) - begun < 600);
    };
    assert.equal(await countTurns(process.pid, spend), 1);
  });

  it('is given again where the machine did not let it run, a few times', { skip: !isKnown }, async () => {
    const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
    try {
      assert.equal(await countTurns(idle.pid as number, async () => {}), MAX_TURNS);
    } finally {
      idle.kill('SIGKILL');
    }
  });

  it('is that of the clock where the system does not say the other', async () => {
    assert.equal(await countTurns(2 ** 30, async () => {}), 1);
  });
});
