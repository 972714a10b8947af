import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sortDiagnoses } from './diagnoses.ts';

const diagnosis = (name: string, use: string | null, rank?: string): object => ({
  name,
  ...(use !== null && { use: { coding: [{ code: use }] } }),
  ...(rank !== undefined && { rank }),
});
const sort = (...all: object[]): unknown[] => sortDiagnoses(all).map(({ name }) => name);

describe('the diagnoses of a visit', () => {
  it('stand by rank, those without one as recorded', () => {
    assert.deepEqual(
      sort(diagnosis('third', null), diagnosis('second', null, '2'), diagnosis('first', null, '1')),
      ['first', 'second', 'third'],
    );
    assert.deepEqual(sort(diagnosis('b', null), diagnosis('a', null)), ['b', 'a']);
  });

  it('stand by use where the rank is the same: what was found before what it began with, comorbidities last', () => {
    assert.deepEqual(
      sort(
        diagnosis('diabetes', 'CM', '1'),
        diagnosis('chest pain', 'CC', '1'),
        diagnosis('unstable angina', 'AD', '1'),
        diagnosis('infarction', 'DD', '1'),
      ),
      ['infarction', 'chest pain', 'unstable angina', 'diabetes'],
    );
  });

  it('are read whatever their rank looks like', () => {
    assert.deepEqual(sort(diagnosis('a', null, 'first'), diagnosis('b', null, '1')), ['b', 'a']);
    assert.deepEqual(sortDiagnoses('nonsense'), []);
  });
});
