import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResourceScope, RestrictedScope } from '../../../../contract/data-categories.ts';
import * as contract from '../../../../contract/organization/test-patients.ts';
import { GENERATED_YEARS } from './generated-years.ts';
import {
  findWithheld,
  formatWithheld,
  isEmptyConsent,
  parseWithheld,
  suggestWithheld,
  toScopesBody,
} from './withheld.ts';

const NAMES = { categories: ResourceScope.options, classes: RestrictedScope.options };

describe('what a consent of a test patient leaves out', () => {
  it('stands in the address by its names, and reads back; other names are none', () => {
    const withheld = parseWithheld('LABS,HIV_OR_STI,NORMAL,nothing', NAMES);
    assert.deepEqual([...withheld], ['LABS', 'HIV_OR_STI']);
    assert.equal(formatWithheld(withheld), 'LABS,HIV_OR_STI');
    assert.equal(parseWithheld('nothing', NAMES).size, 0);
  });

  it('is sent as the lists of what is covered, which the contract takes; all categories are null, classes are named in any case', () => {
    const { body } = contract.createTestPatientGrant;
    assert.deepEqual(toScopesBody(new Set(), NAMES), {
      consentDataResourceScopes: null,
      consentDataSensitivityScopes: ['NORMAL', ...NAMES.classes],
    });
    const scopes = body.parse(toScopesBody(new Set(['LABS', ...NAMES.classes]), NAMES));
    assert.equal(scopes.consentDataResourceScopes?.length, NAMES.categories.length - 1);
    assert.deepEqual(scopes.consentDataSensitivityScopes, ['NORMAL']);
    const none = new Set<string>(NAMES.categories);
    assert.ok(isEmptyConsent(none, NAMES));
    assert.ok(!body.safeParse(toScopesBody(none, NAMES)).success);
  });

  it('is found in the scopes that are in force; without any no consent is', () => {
    const answer = (resourceScope: ResourceScope, sensitivityScope: 'NORMAL' | RestrictedScope) =>
      ({ resourceScope, sensitivityScope, consentRecordIds: [] }) as never;
    const withheld = findWithheld(
      {
        consentDataScopes: [answer('LABS', 'NORMAL'), answer('LABS', 'HIV_OR_STI')],
        fullRecordWithoutRestrictedData: false,
      },
      NAMES,
    );
    assert.equal(withheld?.size, NAMES.categories.length + NAMES.classes.length - 2);
    assert.ok(!withheld.has('LABS') && !withheld.has('HIV_OR_STI') && withheld.has('DIAGNOSES'));
    const nothing = { consentDataScopes: [], fullRecordWithoutRestrictedData: false };
    assert.equal(findWithheld(nothing, NAMES), null);
  });

  it('is at first what the tool is about', () => {
    assert.deepEqual([...suggestWithheld('get_labs')], ['LABS']);
    assert.deepEqual([...suggestWithheld('get_health_summary')], ['DIAGNOSES']);
  });

  it('knows the years of a generated record as the contract does', () => {
    assert.deepEqual(GENERATED_YEARS, contract.GENERATED_YEARS);
  });
});
