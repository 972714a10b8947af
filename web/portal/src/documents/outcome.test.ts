import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isEmptyArchive, isNothingRead } from './outcome.ts';

type Finished = Parameters<typeof isNothingRead>[0];

const NONE = { created: 0, updated: 0, unchanged: 0 };

const build = (more: Partial<Finished>): Finished => ({
  status: 'completed_with_errors',
  sourceId: null,
  documents: { total: 2, processed: 0, rejected: 2 },
  resources: NONE,
  ...more,
});

it('says that nothing was read where no file gave anything, and not where one did', () => {
  assert.ok(isNothingRead(build({})));
  assert.ok(isNothingRead(build({ status: 'failed', documents: { total: 0, processed: 0, rejected: 0 } })));
  assert.ok(!isNothingRead(build({ documents: { total: 2, processed: 1, rejected: 1 } })));
  assert.ok(!isNothingRead(build({ resources: { ...NONE, unchanged: 1 } })));
  assert.ok(!isNothingRead(build({ status: 'completed' })));
});

it('knows an archive of a person that holds no file, which a connected server may send', () => {
  const empty = build({ status: 'completed', documents: { total: 0, processed: 0, rejected: 0 } });
  assert.ok(isEmptyArchive(empty));
  assert.ok(!isEmptyArchive({ ...empty, sourceId: 'a source' as never }));
  assert.ok(!isEmptyArchive(build({ status: 'completed' })));
});
