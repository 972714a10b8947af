import assert from 'node:assert/strict';
import { it } from 'node:test';
import { planProcesses } from './queue.ts';

it('plans a process for files of which nothing was noted but that they take no time', () => {
  const [share, ...others] = planProcesses([{ files: ['one.test.ts'], kind: 'plain', seconds: 0 }], 2);
  assert.ok(share !== undefined && share.seconds > 0);
  assert.deepEqual(others, []);
});
