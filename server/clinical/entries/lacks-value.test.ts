import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entry } from '../../../test/harness/chart.ts';
import { lacksValue } from './lacks-value.ts';

describe('a measurement without a value', () => {
  const lab = (detail: object, status = 'final') => entry('lab', 'Potassium', { status, detail });

  it('is one that says why there is none, or is cancelled', () => {
    assert.ok(lacksValue(lab({ absent: 'Hemolyzed' })));
    assert.ok(lacksValue(lab({ value: '6.8' }, 'cancelled')));
  });

  it('is none that states a value, a part of one, an interpretation, or its results', () => {
    const part = { label: 'pH', value: '5', unit: null, absent: null, code: null };
    for (const detail of [
      { value: '6.8' },
      { absent: 'no value recorded', interpretation: 'Resistant' },
      { absent: 'unknown', components: [part] },
      { absent: 'below measurable (undetectable)' },
      { members: ['Observation/a'] },
    ])
      assert.ok(!lacksValue(lab(detail)), JSON.stringify(detail));
    assert.ok(!lacksValue(entry('visit', 'Check-up', { status: 'cancelled' })));
  });
});
