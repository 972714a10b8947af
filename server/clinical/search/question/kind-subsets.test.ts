import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readQuestion } from '../../../../test/harness/vocabulary.ts';

const read = (query: string) => readQuestion(query, '2026-11-20');

describe('a part of a kind', () => {
  it('is what is not to be taken, in allergies and orders', () => {
    for (const query of [
      'medicines I should not take',
      "medicines I shouldn't take",
      'medications not to take',
      'drugs to avoid',
      'which drugs must he avoid',
      'what should I not take',
      "what drugs can't she have",
      'what must you not give her',
      'contraindicated medications',
      'qué medicamentos no debo tomar',
      'medicamentos que debo evitar',
      'welche Medikamente soll ich meiden',
    ]) {
      const { concepts, kinds, subset } = read(query);
      assert.deepEqual([subset, concepts], ['to-avoid', []], query);
      assert.deepEqual(kinds.map(({ kind }) => kind).sort(), ['allergy', 'medication'], query);
    }
  });

  it('is what is flagged of results and vital signs', () => {
    for (const query of [
      'abnormal labs',
      'what were my abnormal test results',
      'are any of my labs abnormal',
      'which results are out of range',
      'anything abnormal',
      'resultados anormales',
      'análisis anormales',
      'auffällige Laborwerte',
    ]) {
      const { concepts, kinds, subset } = read(query);
      assert.deepEqual([subset, concepts, kinds], ['abnormal', [], [{ kind: 'lab', weight: 1 }]], query);
    }
    assert.deepEqual(read('abnormal vitals').kinds, [{ kind: 'vital', weight: 1 }]);
  });

  it('is the medications that are not taken any more', () => {
    for (const query of [
      'stopped medications',
      'medications that were stopped',
      'discontinued medications',
      'which of his meds were discontinued',
      'what medications did he stop taking',
      'pills she no longer takes',
      'past medications',
      'medicamentos suspendidos',
      'medicamentos que le suspendieron',
      'abgesetzte Medikamente',
      'Medikamente, die abgesetzt wurden',
      'Medikamente, die er nicht mehr nimmt',
    ]) {
      const { concepts, words, kinds, subset } = read(query);
      assert.deepEqual(
        [subset, concepts, words, kinds],
        ['stopped', [], [], [{ kind: 'medication', weight: 1 }]],
        query,
      );
    }
    assert.deepEqual(
      read('did she stop taking her pills').concepts.map(({ readAs: [first] }) => first?.slug),
      ['medication-adherence'],
    );
  });

  it('is none of other words', () => {
    for (const query of [
      'medicines I am taking',
      'medicines I do not take',
      'abnormal ecg',
      'abnormal mammogram',
      'pills for blood pressure',
      'foods to avoid',
    ])
      assert.equal(read(query).subset, null, query);
  });
});
