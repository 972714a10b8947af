import assert from 'node:assert/strict';
import { it } from 'node:test';
import { namesTag } from './send-tagged.ts';

it('finds a tag in a list of tags by weak comparison', () => {
  for (const header of ['W/"a-1"', '"a-1"', '"b", W/"a-1"', '*'])
    assert.ok(namesTag(header, 'W/"a-1"'), header);
  for (const header of [undefined, '', '"a"', 'W/"a-1', 'a-1'])
    assert.ok(!namesTag(header, 'W/"a-1"'), header);
});
