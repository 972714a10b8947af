import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measure } from '../../../../test/harness/chart.ts';
import type { ObservationDetail } from '../../../clinical/entries/observation-detail.ts';
import { formatMeasurement, formatVital } from './measure-text.ts';

const detail = (more: Partial<ObservationDetail>): ObservationDetail => ({
  value: null,
  unit: null,
  absent: null,
  interpretation: null,
  referenceRange: null,
  components: [],
  panel: null,
  note: null,
  ...more,
});
const silent = (label: string) => ({ ...measure(label, '', null), value: null, absent: 'unknown' });

describe('a measurement', () => {
  it('states once that there is no value, and why', () => {
    assert.equal(formatMeasurement(detail({ absent: 'specimen lost' })), 'no value: specimen lost');
    assert.equal(formatMeasurement(detail({ absent: 'no value recorded' })), 'no value recorded');
    const parts = [silent('Systolic'), silent('Diastolic')];
    assert.equal(formatMeasurement(detail({ absent: 'unknown', components: parts })), 'no value: unknown');
  });

  it('names a missing part beside the recorded ones', () => {
    const parts = [measure('Verbal', '4', null), silent('Motor')];
    assert.equal(
      formatMeasurement(detail({ absent: 'unknown', components: parts })),
      'Verbal: 4; Motor: (unknown)',
    );
  });

  it('drops the tag of a coded value', () => {
    assert.equal(formatMeasurement(detail({ value: 'Positive (qualifier value)' })), 'Positive');
  });

  it('shows a blood pressure by its codes, in any language, and a missing half as missing', () => {
    const part = (code: string, label: string, value: string | null) => ({
      ...measure(label, value ?? '', 'mmHg'),
      value,
      code: `http://loinc.org|${code}`,
      absent: value === null ? 'unknown' : null,
    });
    const pressure = (...components: ReturnType<typeof part>[]): string =>
      formatVital({
        title: 'Blutdruck',
        code: null,
        detail: { ...detail({ components }), vital: 'Blood Pressure' },
      });
    const diastolic = part('8462-4', 'Presión arterial diastólica', '80');
    assert.equal(pressure(diastolic, part('8480-6', 'Systolischer Blutdruck', '120')), '120/80 mmHg');
    assert.equal(
      pressure(part('8480-6', 'Systolic', '144'), part('8462-4', 'Diastolic', null)),
      '144/– mmHg',
    );
    assert.equal(pressure(part('8480-6', 'Systolic', null), diastolic), '–/80 mmHg');
  });
});
