import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObservationDetail } from '../../../clinical/entries/observation-detail.ts';
import { listMeasurements } from './measurements.ts';

const render = (unit: string | null): string | undefined => {
  const detail: ObservationDetail = {
    value: '17.37',
    unit,
    absent: null,
    interpretation: null,
    referenceRange: null,
    components: [],
    panel: null,
    note: null,
  };
  return listMeasurements({ kind: 'lab', detail })[0]?.text;
};

describe('the unit of a value', () => {
  it('keeps what stands in braces, as people write it', () => {
    assert.deepEqual(
      ['mL/min/{1.73_m2}', 'mL/min/1.73.m2', '/{HPF}', '{score}', '{copies}/mL', 'mg/g{creat}', '%{Hb}'].map(
        render,
      ),
      [
        '17.37 mL/min/1.73 m²',
        '17.37 mL/min/1.73.m2',
        '17.37 /HPF',
        '17.37 score',
        '17.37 copies/mL',
        '17.37 mg/g creat',
        '17.37 % Hb',
      ],
    );
  });

  it('is written as people write it, and not at all where it is none', () => {
    assert.deepEqual(['mm[Hg]', '[IU]/L', '1', '{}', null].map(render), [
      '17.37 mmHg',
      '17.37 IU/L',
      '17.37',
      '17.37',
      '17.37',
    ]);
  });
});
