import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readQuestion } from '../../../../test/harness/vocabulary.ts';

describe('the highest and lowest value', () => {
  it('is asked for in three languages, beside the test', () => {
    for (const [query, extreme, slug] of [
      ['highest a1c', 'highest', 'hemoglobin-a1c'],
      ['what is the lowest a1c ever', 'lowest', 'hemoglobin-a1c'],
      ['max a1c', 'highest', 'hemoglobin-a1c'],
      ['peak creatinine', 'highest', 'creatinine'],
      ['la a1c más alta', 'highest', 'hemoglobin-a1c'],
      ['el colesterol más alto', 'highest', 'total-cholesterol'],
      ['a1c mínima', 'lowest', 'hemoglobin-a1c'],
      ['höchster Blutdruck', 'highest', 'blood-pressure'],
    ] as const) {
      const question = readQuestion(query, '2026-11-20');
      assert.deepEqual([question.extreme, question.concepts[0]?.readAs[0]?.slug], [extreme, slug], query);
      assert.deepEqual(question.words, [], query);
    }
  });

  it('is no part of a name', () => {
    for (const query of ['peak flow', 'high cholesterol', 'colesterol alto', 'low blood pressure'])
      assert.equal(readQuestion(query, '2026-11-20').extreme, null, query);
  });
});
