import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseType } from './media-ranges.ts';

describe('chooseType', () => {
  const choose = (accept?: string): string =>
    chooseType(accept, ['application/json', 'text/csv', 'application/x-ndjson']);

  it('returns the first for a client that names none of those offered', () => {
    for (const accept of [undefined, '', '*/*', 'text/html, */*;q=0.5', 'text/*'])
      assert.equal(choose(accept), 'application/json', accept);
  });

  it('returns the one that is named, by weight and then by order', () => {
    assert.equal(choose('text/csv'), 'text/csv');
    assert.equal(choose('Text/CSV; charset=utf-8'), 'text/csv');
    assert.equal(choose('application/json;q=0.5, application/x-ndjson'), 'application/x-ndjson');
    assert.equal(choose('text/csv, application/json'), 'text/csv');
    assert.equal(choose('text/csv;q=0, application/json'), 'application/json');
  });
});
