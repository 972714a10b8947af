import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatRange } from './format-range.ts';

it('says in Spanish what a range and its age are', () => {
  assert.equal(formatRange('3.5 to 5.1 mmol/L'), '3.5 a 5.1 mmol/L');
  assert.equal(
    formatRange('100 to 400 U/L (age 0 to 12 years); 40 to 130 U/L (Female, age from 18 years)'),
    '100 a 400 U/L (edad 0 a 12 años); 40 a 130 U/L (Female, edad desde 18 años)',
  );
  assert.equal(formatRange('≤ 5 U/L (age 7 days to 1 year)'), '≤ 5 U/L (edad 7 días a 1 año)');
  assert.equal(formatRange('≤ 5 U/L (age up to 6 months)'), '≤ 5 U/L (edad hasta 6 meses)');
});
