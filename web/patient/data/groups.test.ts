import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResourceScope, RestrictedScope } from '../../../contract/data-categories.ts';
import { ALL_CATEGORIES, SENSITIVITIES } from './groups.ts';

describe('what can be chosen', () => {
  it('is each category of the contract, once', () => {
    assert.deepEqual([...ALL_CATEGORIES].sort(), [...ResourceScope.options].sort());
  });

  it('is each very private class of the contract, once', () => {
    assert.deepEqual([...SENSITIVITIES].sort(), [...RestrictedScope.options].sort());
  });
});
