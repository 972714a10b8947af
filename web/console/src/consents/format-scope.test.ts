import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ResourceScope,
  RestrictedScope,
  type SensitivityScope,
} from '../../../../contract/data-categories.ts';
import { formatParts, formatScope } from './format-scope.ts';
import { consents as en } from './words/en.ts';
import { consents as es } from './words/es.ts';

const format = (
  categories: ResourceScope[] | null,
  classes: SensitivityScope[] | null,
  [words, language]: [typeof en, 'en' | 'es'] = [en, 'en'],
): string =>
  formatScope(
    {
      fullRecordWithoutRestrictedData: categories === null && classes === null,
      consentDataResourceScopes: categories,
      consentDataSensitivityScopes: classes,
    },
    words,
    language,
  );
const allBut = (...names: ResourceScope[]) => ResourceScope.options.filter((name) => !names.includes(name));
const ALL_CLASSES: SensitivityScope[] = ['NORMAL', ...RestrictedScope.options];
const MENTAL_HEALTH: SensitivityScope[] = ['NORMAL', 'MENTAL_HEALTH'];

describe('what a consent covers, in words', () => {
  it('names the protected classes that are shared, whatever else is', () => {
    assert.equal(
      format([...ResourceScope.options], MENTAL_HEALTH),
      'Everything, of protected classes only Mental health',
    );
    assert.equal(
      format([...ResourceScope.options], MENTAL_HEALTH, [es, 'es']),
      'Todo, de las clases protegidas solo Salud mental',
    );
    assert.equal(
      format(['LABS', 'ALLERGIES'], MENTAL_HEALTH),
      'Only Allergies and Lab results, and of protected classes Mental health',
    );
    assert.equal(
      format(allBut('LABS'), ['NORMAL', 'MENTAL_HEALTH', 'SICKLE_CELL']),
      'Everything except Lab results, and of protected classes Mental health and Sickle cell',
    );
  });

  it('says that all classes are shared, and that none is', () => {
    assert.equal(format(null, ALL_CLASSES), 'Everything, protected classes too');
    assert.equal(format(['LABS'], ALL_CLASSES), 'Only Lab results, and all protected classes');
    assert.equal(format(null, null), 'Everything but protected classes');
    assert.equal(
      format(allBut('LABS'), ['NORMAL']),
      'Everything except Lab results, and no protected classes',
    );
    assert.equal(format(['LABS'], ['NORMAL']), 'Only Lab results');
  });

  it('names each part with its own end', () => {
    const toPart = (classes: SensitivityScope[], expirationTimestamp: string) => ({
      fullRecordWithoutRestrictedData: false,
      consentDataResourceScopes: null,
      consentDataSensitivityScopes: classes,
      expirationTimestamp,
    });
    const parts = [
      toPart(['NORMAL'], '2027-12-01T00:00:00.000Z'),
      toPart(MENTAL_HEALTH, '2026-12-01T15:47:00.000Z'),
    ];
    assert.equal(
      formatParts(parts, en, 'en'),
      `${format(null, ['NORMAL'])}: 2027-12-01T00:00:00.000Z; ${format(null, MENTAL_HEALTH)}: 2026-12-01T15:47:00.000Z`,
    );
  });
});
