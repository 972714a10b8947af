import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResourceScope, RestrictedScope, SensitivityScope } from '../../contract/data-categories.ts';
import {
  bitOf,
  dataScopes,
  EVERYTHING,
  needsOf,
  scopesOnWire,
  withheldCategories,
  withheldClasses,
  withheldOf,
} from './data-classes.ts';

const shown = (needs: number, withheld: number): boolean => (needs & withheld) === 0;

describe('the bits of categories and classes', () => {
  it('are those that stored rows count on', () => {
    assert.equal(bitOf('CONTACT_INFO'), 1);
    assert.equal(bitOf('ADMINISTRATIVE_AND_BILLING'), 1 << 17);
    assert.equal(bitOf('HIV_OR_STI'), 1 << 18);
    assert.equal(bitOf('SICKLE_CELL'), 1 << 25);
    const all = [...ResourceScope.options, ...RestrictedScope.options].map(bitOf);
    assert.equal(new Set(all).size, 26);
  });

  it('hide a fact whose category or any of whose classes is left out, and nothing else', () => {
    const note = needsOf('CLINICAL_NOTES', ['MENTAL_HEALTH', 'HIV_OR_STI']);
    for (const category of ResourceScope.options) {
      const withheld = withheldOf({
        resourceScopes: ResourceScope.options.filter((name) => name !== category),
        sensitivityScopes: null,
      });
      assert.equal(shown(note, withheld), category !== 'CLINICAL_NOTES', category);
      assert.deepEqual(withheldCategories(withheld), [category]);
    }
    for (const left of RestrictedScope.options) {
      const withheld = withheldOf({
        resourceScopes: null,
        sensitivityScopes: SensitivityScope.options.filter((name) => name !== left),
      });
      assert.equal(shown(note, withheld), !['MENTAL_HEALTH', 'HIV_OR_STI'].includes(left), left);
      assert.deepEqual(withheldClasses(withheld), [left]);
    }
  });

  it('hide what nobody has looked at yet from every consent that leaves out anything', () => {
    assert.equal(shown(-1, withheldOf(EVERYTHING)), true);
    assert.equal(shown(-1, withheldOf(dataScopes(null, ['NORMAL']))), false);
    assert.equal(shown(-1, withheldOf(dataScopes(['LABS'], null))), false);
  });
});

describe('what a decision covers', () => {
  it('leaves out all eight restricted classes when none is named', () => {
    const withheld = withheldOf(dataScopes(null, ['NORMAL']));
    assert.deepEqual(withheldClasses(withheld), RestrictedScope.options);
    assert.deepEqual(withheldCategories(withheld), []);
  });

  it('is said with two nulls when it is the full record without restricted data', () => {
    const full = {
      fullRecordWithoutRestrictedData: true,
      consentDataResourceScopes: null,
      consentDataSensitivityScopes: null,
    };
    assert.deepEqual(scopesOnWire(dataScopes(null, ['NORMAL'])), full);
    assert.deepEqual(scopesOnWire(dataScopes(ResourceScope.options, ['NORMAL'])), full);
    assert.deepEqual(scopesOnWire(EVERYTHING), full);
  });

  it('is said with both lists, in their order, in every other case', () => {
    assert.deepEqual(scopesOnWire(dataScopes(['LABS', 'MEDICATIONS'], ['NORMAL'])), {
      fullRecordWithoutRestrictedData: false,
      consentDataResourceScopes: ['MEDICATIONS', 'LABS'],
      consentDataSensitivityScopes: ['NORMAL'],
    });
    assert.deepEqual(scopesOnWire(dataScopes(null, ['SICKLE_CELL', 'NORMAL'])), {
      fullRecordWithoutRestrictedData: false,
      consentDataResourceScopes: ResourceScope.options,
      consentDataSensitivityScopes: ['NORMAL', 'SICKLE_CELL'],
    });
  });
});
