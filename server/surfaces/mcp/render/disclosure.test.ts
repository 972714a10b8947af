import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ResourceScope, RestrictedScope } from '../../../../contract/data-categories.ts';
import type { ReferencedResource } from '../../../clinical/queries/details.sql.ts';
import { toLabelMask } from '../../../consent/access/sensitivity-labels.ts';
import { toDisclosed } from './disclosure.ts';

const disclose = (reference: string, labels: (ResourceScope | RestrictedScope)[] | null) =>
  toDisclosed({
    reference,
    category: 'CLINICAL_NOTES',
    required_labels: labels === null ? null : toLabelMask(labels),
  } as ReferencedResource).map(({ category }) => category);

describe('what the audit entry of an answer says was disclosed', () => {
  it('is of a Binary what names it, and of anything else its own category', () => {
    assert.deepEqual(disclose('Binary/b', ['LABS', 'HIV_OR_STI']), ['LABS']);
    assert.deepEqual(disclose('Binary/b', ['LABS', 'CLINICAL_NOTES']), ['LABS', 'CLINICAL_NOTES']);
    assert.deepEqual(disclose('Binary/b', null), ['CLINICAL_NOTES']);
    assert.deepEqual(disclose('DocumentReference/d', ['LABS', 'CLINICAL_NOTES']), ['CLINICAL_NOTES']);
  });
});
