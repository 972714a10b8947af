import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createStatedCheck } from './stated-in-text.ts';

describe('what the text of a dosage states', () => {
  for (const [text, ...parts] of [
    ['5 mg twice daily', '5 mg', '5.0 mg', 'twice a day', 'every 12 hours'],
    ['Take one 5mg tab PO BID', '5 mg', 'twice a day', 'Oral route'],
    ['1-2 tablets once daily at bedtime', '1 to 2 TAB', 'once a day', 'at bedtime'],
    ['75mcg q6h x 3 days', '75 ug', 'every 6 hours', '4 times a day', 'for 3 days'],
    ['Every seventy two hours as needed', 'every 3.0 days'],
    ['one patch three times per week', '1 patch', '3 times a week'],
    ['40 mg/day', '40 mg', 'once a day'],
    ['1,000 mL at 50ml/hour', '1000 mL', 'at 50 mL / 1 h'],
    ['10 units before lunch', '10 U', 'once a day'],
    ['2 mg, max 20 mg/day', 'at most 20 mg / 1 d'],
    ['half a tablet from 2025-05-01', '0.5 tablet', 'from 2025-05-01'],
  ] as const)
    it(`${text}: ${parts.join('; ')}`, () => {
      const isStated = createStatedCheck(text);
      for (const part of parts) assert.equal(isStated(part), true, part);
    });

  for (const [text, ...parts] of [
    ['Take as directed', '5 mg', 'once a day', 'dose 1.0', 'Oral'],
    ['5 mg twice daily', '10 mg', '5 mL', '5 mg/kg', '3 times a day', 'dose 2', 'for 5 days'],
    ['5 mg/kg daily', '5 mg', 'at most 5 mg/kg'],
    ['once daily', 'dose 1.0', 'in the morning and in the evening'],
    ['PRN', 'for pain', 'at most 20 mg / 1 d'],
    ['taper from 2025-05-01', 'from 2025-05-01 to 2025-05-05'],
    ['15 mg', '5 mg', '1.5 mg', '150 mg'],
  ] as const)
    it(`${text}: not ${parts.join('; ')}`, () => {
      const isStated = createStatedCheck(text);
      for (const part of parts) assert.equal(isStated(part), false, part);
    });
});
