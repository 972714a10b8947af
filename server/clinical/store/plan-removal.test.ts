import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BatchId, DataMask } from '../../../contract/brands.ts';
import type { BroughtResource, OtherBringer } from './batch-resources.sql.ts';
import { planRemoval, type GetLastUpdated } from './plan-removal.ts';

const other = (batch: string, hash: string, isKept = true): OtherBringer => ({
  batchId: batch as BatchId,
  hash,
  isKept,
});

const NO_TIMES: GetLastUpdated = () => '';

/** What becomes of a resource that holds `hash`, when a batch goes and these are left, in the order in which they brought it. */
const plan = (hash: string, ...others: OtherBringer[]): unknown => planAt(NO_TIMES, hash, ...others);

function planAt(getLastUpdated: GetLastUpdated, hash: string, ...others: OtherBringer[]): unknown {
  const row: BroughtResource = { seq: 1, reference: 'Basic/1', hash, requiredLabels: 0 as DataMask, others };
  const { gone, left } = planRemoval([row], getLastUpdated);
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

  it('gets the content that was last updated of those that say so, else the last one', () => {
    const times: Record<string, string> = {
      may: '2026-05-01T00:00:00.000Z',
      january: '2026-01-01T00:00:00.000Z',
    };
    const planByTime = (...hashes: string[]): unknown =>
      planAt(
        (_seq, hash) => times[hash] ?? '',
        'june',
        ...hashes.map((hash, index) => other(String(index), hash)),
      );
    assert.deepEqual(planByTime('may', 'january'), ['0', '0', 'may']);
    assert.deepEqual(planByTime('january', 'may'), ['0', '1', 'may']);
    assert.deepEqual(planByTime('may', 'undated'), ['0', '1', 'undated']);
  });
});
