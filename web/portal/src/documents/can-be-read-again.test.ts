import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UploadBatch as Batch } from '../../../../contract/account/uploads.ts';
import { canBeReadAgain } from './can-be-read-again.ts';

const buildBatch = (batchId: string, paths: string[], rejected: [path: string, code: string][] = []): Batch =>
  ({ batchId, paths, rejected: rejected.map(([path, code]) => ({ path, code, message: '' })) }) as Batch;

describe('a batch of which files were not read in time', () => {
  const unread = buildBatch('unread', ['a.pdf', 'b.pdf'], [['b.pdf', 'not_read_in_time']]);

  it('can be read again until one of them came again', () => {
    const older = buildBatch('older', ['b.pdf']);
    const other = buildBatch('other', ['a.pdf']);
    const again = buildBatch('again', ['b.pdf']);
    assert.equal(canBeReadAgain(unread, [other, unread, older]), true);
    assert.equal(canBeReadAgain(unread, [again, other, unread, older]), false);
    const archived = buildBatch('archived', ['scans.zip/b.pdf']);
    assert.equal(canBeReadAgain(unread, [archived, unread]), false);
  });

  it('is none where files were refused for other reasons', () => {
    const locked = buildBatch('locked', ['a.pdf'], [['a.pdf', 'encrypted']]);
    assert.equal(canBeReadAgain(locked, [locked]), false);
  });
});
