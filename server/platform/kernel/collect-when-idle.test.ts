import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

/** Alone in its process, since others of this one may never be idle. */
const PROGRAM = `
  import { collectWhenIdle } from ${JSON.stringify(path.join(import.meta.dirname, 'collect-when-idle.ts'))};
  const garbage = new WeakRef(new Array(1000));
  let turns = 0;
  const busy = setInterval(() => {
    for (const before = process.cpuUsage(); process.cpuUsage(before).user < 10_000;);
    if (++turns === 20) clearInterval(busy);
  }, 1);
  setInterval(() => {}, 1000);
  await collectWhenIdle(40);
  console.log(JSON.stringify({ turns, isCollected: garbage.deref() === undefined, isExposed: 'gc' in globalThis }));
  process.exit();
`;

describe('a process that is idle', () => {
  it('collects its garbage, once it is no longer busy', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      PROGRAM,
    ]);
    assert.deepEqual(JSON.parse(stdout), { turns: 20, isCollected: true, isExposed: false });
  });
});
