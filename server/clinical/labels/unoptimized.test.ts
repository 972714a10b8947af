import assert from 'node:assert/strict';
import path from 'node:path';
import { it } from 'node:test';
import { runNode } from '../../../test/harness/process.ts';

const TESTS = path.join(import.meta.dirname, 'classify-resource.test.ts');

it('the classes of a resource are the same where V8 does not optimize expressions, as in a process that has compiled many', async () => {
  const { code, stdout } = await runNode('test/harness/unoptimized-expressions.ts', [TESTS]);
  assert.equal(code, 0, stdout.slice(-4000));
});
