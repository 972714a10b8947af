import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResourceScope, SensitivityScope } from '../../../../contract/data-categories.ts';
import { en } from '../words/en.ts';
import { formatSensitivities, formatCategories, toSharedScopes } from './shared-scopes.ts';

const format = (categories: ResourceScope[] | null, classes: SensitivityScope[] | null): [string, string] => {
  const shared = toSharedScopes({
    fullRecordWithoutRestrictedData: categories === null && classes === null,
    consentDataResourceScopes: categories,
    consentDataSensitivityScopes: classes,
  });
  return [formatCategories(shared, en, 'en'), formatSensitivities(shared, en, 'en')];
};
const allBut = (...names: string[]) => ResourceScope.options.filter((name) => !names.includes(name));

describe('the shared scopes', () => {
  it('are everything but the very private without a list', () => {
    assert.deepEqual(format(null, null), ['All kinds of data', 'Left out']);
  });

  it('are named by what is left out while that is little, else by what is shared', () => {
    assert.equal(
      format(allBut('LABS', 'CLINICAL_NOTES'), ['NORMAL'])[0],
      'Everything except: Lab results and Notes',
    );
    assert.equal(format(['LABS', 'ALLERGIES'], ['NORMAL'])[0], '2 of 18 kinds: Allergies and Lab results');
  });

  it('name each very private class that is shared', () => {
    assert.equal(format([...ResourceScope.options], ['NORMAL', 'SICKLE_CELL'])[1], 'Sickle cell');
    assert.equal(format([...ResourceScope.options], [...SensitivityScope.options])[1], 'All of them');
  });
});
