import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResourceScope, RestrictedScope, SensitivityScope } from '../../../contract/data-categories.ts';
import {
  labelBit,
  toDataScopes,
  ALL_DATA_SCOPES,
  toRequiredMask,
  toScopesDto,
  listCategories,
  listWithheldClasses,
  toWithheldMask,
} from './sensitivity-labels.ts';

const shown = (needs: number, withheld: number): boolean => (needs & withheld) === 0;

describe('label masks', () => {
  it('have the bits that stored rows depend on', () => {
    assert.equal(labelBit('CONTACT_INFO'), 1);
    assert.equal(labelBit('ADMINISTRATIVE_AND_BILLING'), 1 << 17);
    assert.equal(labelBit('HIV_OR_STI'), 1 << 18);
    assert.equal(labelBit('SICKLE_CELL'), 1 << 25);
    const all = [...ResourceScope.options, ...RestrictedScope.options].map(labelBit);
    assert.equal(new Set(all).size, 26);
  });

  it('hide exactly the facts whose category or any class is left out', () => {
    const note = toRequiredMask('CLINICAL_NOTES', ['MENTAL_HEALTH', 'HIV_OR_STI']);
    for (const category of ResourceScope.options) {
      const withheld = toWithheldMask({
        resourceScopes: ResourceScope.options.filter((name) => name !== category),
        sensitivityScopes: null,
      });
      assert.equal(shown(note, withheld), category !== 'CLINICAL_NOTES', category);
      assert.deepEqual(listCategories(withheld), [category]);
    }
    for (const left of RestrictedScope.options) {
      const withheld = toWithheldMask({
        resourceScopes: null,
        sensitivityScopes: SensitivityScope.options.filter((name) => name !== left),
      });
      assert.equal(shown(note, withheld), !['MENTAL_HEALTH', 'HIV_OR_STI'].includes(left), left);
      assert.deepEqual(listWithheldClasses(withheld), [left]);
    }
  });

  it('hide unlabeled facts from every consent that leaves out anything', () => {
    assert.equal(shown(-1, toWithheldMask(ALL_DATA_SCOPES)), true);
    assert.equal(shown(-1, toWithheldMask(toDataScopes(null, ['NORMAL']))), false);
    assert.equal(shown(-1, toWithheldMask(toDataScopes(['LABS'], null))), false);
  });
});

describe('the scopes of a decision', () => {
  it('leave out all eight restricted classes when none is named', () => {
    const withheld = toWithheldMask(toDataScopes(null, ['NORMAL']));
    assert.deepEqual(listWithheldClasses(withheld), RestrictedScope.options);
    assert.deepEqual(listCategories(withheld), []);
  });

  it('have two nulls in the DTO for the full record without restricted data', () => {
    const full = {
      fullRecordWithoutRestrictedData: true,
      consentDataResourceScopes: null,
      consentDataSensitivityScopes: null,
    };
    assert.deepEqual(toScopesDto(toDataScopes(null, ['NORMAL'])), full);
    assert.deepEqual(toScopesDto(toDataScopes(ResourceScope.options, ['NORMAL'])), full);
    assert.deepEqual(toScopesDto(ALL_DATA_SCOPES), full);
  });

  it('have both lists in the DTO, in their order, in every other case', () => {
    assert.deepEqual(toScopesDto(toDataScopes(['LABS', 'MEDICATIONS'], ['NORMAL'])), {
      fullRecordWithoutRestrictedData: false,
      consentDataResourceScopes: ['MEDICATIONS', 'LABS'],
      consentDataSensitivityScopes: ['NORMAL'],
    });
    assert.deepEqual(toScopesDto(toDataScopes(null, ['SICKLE_CELL', 'NORMAL'])), {
      fullRecordWithoutRestrictedData: false,
      consentDataResourceScopes: ResourceScope.options,
      consentDataSensitivityScopes: ['NORMAL', 'SICKLE_CELL'],
    });
  });
});
