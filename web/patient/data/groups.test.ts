import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResourceScope, RestrictedScope } from '../../../contract/data-categories.ts';
import { ALL_CATEGORIES, SENSITIVITIES } from './groups.ts';

describe('the choices of a consent', () => {
  it('offer each category of the contract once', () => {
    assert.deepEqual([...ALL_CATEGORIES].sort(), [...ResourceScope.options].sort());
  });

  it('offer each restricted class of the contract once', () => {
    assert.deepEqual([...SENSITIVITIES].sort(), [...RestrictedScope.options].sort());
  });
});
