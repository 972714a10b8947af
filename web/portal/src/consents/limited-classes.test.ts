import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTitles } from '../../../kit/format-list.ts';
import { en } from '../words/en.ts';
import { formatLimitedClasses, listLimitedClasses } from './limited-classes.ts';

const part = (categories: string[], sensitivities: string[] = []) => ({
  categories,
  sensitivities,
  end: '2026-05-01T12:00:00.000Z',
});

describe('the classes of what is shared in parts', () => {
  it('are of those categories that a part shares them with', () => {
    const parts = [part(['LABS', 'VISITS'], ['MENTAL_HEALTH']), part(['DIAGNOSES', 'LABS'])];
    assert.deepEqual(listLimitedClasses(parts), [
      { sensitivity: 'MENTAL_HEALTH', categories: ['LABS', 'VISITS'] },
    ]);
    assert.deepEqual(formatLimitedClasses(parts, { words: en, language: 'en' }), [
      `Mental health: only in ${joinTitles(['Lab results', 'Visits'])}`,
    ]);
  });

  it('need no word where they are of everything', () => {
    assert.deepEqual(listLimitedClasses([]), []);
    assert.deepEqual(listLimitedClasses([part(['LABS'], ['HIV'])]), []);
    const each = [part(['LABS'], ['HIV']), part(['DIAGNOSES', 'LABS'], ['HIV'])];
    assert.deepEqual(listLimitedClasses(each), []);
    assert.deepEqual(listLimitedClasses([part(['LABS']), part(['DIAGNOSES'])]), []);
  });
});
