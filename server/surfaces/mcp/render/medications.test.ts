import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatCourse } from './medications.ts';

describe('the course of a drug', () => {
  it('is shown beside the day of its order, where it begins on another one', () => {
    for (const [dayText, begins, endText, text] of [
      ['2010-10-28', '2008-09-22', '2008-10-02', '2010-10-28, taken from 2008-09-22 until 2008-10-02'],
      ['2010-10-28', '2007-08-14', null, '2010-10-28, taken from 2007-08-14'],
      ['2010-10-28', undefined, '2010-11-02', '2010-10-28 to 2010-11-02'],
      ['2010-10-28', undefined, '2008-10', '2010-10-28, until 2008-10'],
      ['2010-10', undefined, '2010-10-02', '2010-10 to 2010-10-02'],
      ['2026-11-01', '2027-01-05', null, '2026-11-01'],
    ] as const) {
      const detail = {
        resource: 'MedicationRequest' as const,
        intent: 'order',
        dosage: null,
        reason: null,
        prescriber: null,
        note: null,
        none: false,
        ...(begins !== undefined && { begins }),
      };
      const medication = { current: true, groupKey: 'x', status: 'active', dayText, endText, detail };
      assert.equal(formatCourse(medication, '2026-11-20'), text);
    }
  });
});
