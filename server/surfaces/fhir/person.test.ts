import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseBirthDate } from './person.ts';

describe('parseBirthDate', () => {
  it('returns the birth date as the Patient has it, or null for anything else', () => {
    for (const birthDate of ['1970', '1970-04', '1970-04-01'])
      assert.equal(parseBirthDate(JSON.stringify({ birthDate })), birthDate);
    for (const birthDate of ['', '1.4.1970', '1970-04-01T00:00:00Z', null, ['1970'], {}])
      assert.equal(parseBirthDate(JSON.stringify({ birthDate })), null);
    assert.equal(parseBirthDate('{}'), null);
  });
});
