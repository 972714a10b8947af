import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BatchId, DataMask } from '../../../contract/brands.ts';
import type { BroughtResource, OtherBringer } from './batch-resources.sql.ts';
import { planRemoval } from './plan-removal.ts';

const other = (batch: string, hash: string, isKept = true): OtherBringer => ({
  batchId: batch as BatchId,
  hash,
  isKept,
});

/** What becomes of a resource that holds `hash`, when a batch goes and these are left, in the order in which they brought it. */
function plan(hash: string, ...others: OtherBringer[]): unknown {
  const row: BroughtResource = { seq: 1, reference: 'Basic/1', hash, requiredLabels: 0 as DataMask, others };
  const { gone, left } = planRemoval([row]);
  const [only] = left;
  return gone.length === 1 ? 'gone' : [only?.first, only?.last, only?.hash];
}

describe('a resource of a batch that is taken out', () => {
  it('goes where nobody else brought it', () => assert.equal(plan('a'), 'gone'));

  it('stays as it is where the last of the others brought the same', () => {
    assert.deepEqual(plan('a', other('one', 'a')), ['one', 'one', null]);
    assert.deepEqual(plan('b', other('one', 'a'), other('two', 'b')), ['one', 'two', null]);
  });

  it('gets the content back that the last of the others brought', () => {
    assert.deepEqual(plan('b', other('one', 'a')), ['one', 'one', 'a']);
    assert.deepEqual(plan('a', other('one', 'a'), other('two', 'b')), ['one', 'two', 'b']);
  });

  it('gets the newest content that is kept, and goes where none is', () => {
    assert.deepEqual(plan('c', other('one', 'a'), other('two', 'b', false)), ['one', 'one', 'a']);
    assert.equal(plan('c', other('one', 'a', false)), 'gone');
  });
});
