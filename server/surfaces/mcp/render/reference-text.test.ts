import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatReference } from './reference-text.ts';

const ID = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
const format = (...similarIds: (string | null)[]): string =>
  formatReference({ reference: `Condition/${ID}`, similarIds });

describe('a reference', () => {
  it('is the type and the first 8 characters of a UUID', () => {
    assert.equal(format(null, null), 'Condition/aaaaaaaa');
    assert.equal(formatReference({ reference: `Condition/${ID}` }), 'Condition/aaaaaaaa');
  });

  it('is longer where another resource begins so, and ends with a character that distinguishes them', () => {
    assert.equal(format('aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeed', null), `Condition/${ID}`);
    assert.equal(format(null, 'aaaaaaaa-cbbb-4ccc-8ddd-eeeeeeeeeeed'), 'Condition/aaaaaaaa-b');
    assert.equal(format(null, 'AAAAAAAA-BBBB-5ccc-8ddd-eeeeeeeeeeed'), 'Condition/aaaaaaaa-bbbb-4');
    assert.equal(format('aaaaaaa9-bbbb-4ccc-8ddd-eeeeeeeeeeed', null), 'Condition/aaaaaaaa');
  });

  it('is whole for an id of any other form', () => {
    for (const id of ['bp', 'sha256-0123456789abcdef0123456789abcdef01234567', 'a.b-c'])
      assert.equal(formatReference({ reference: `Observation/${id}` }), `Observation/${id}`);
  });
});
