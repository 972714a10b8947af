import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatNumber, formatPercent, formatSize } from './format-number.ts';

it('numbers have the same marks in both languages', () => {
  for (const language of ['en', 'es'] as const) {
    assert.equal(formatSize(4200, language), '4.2\u00a0kB');
    assert.equal(formatNumber(12_345, language), '12,345');
    assert.equal(formatPercent(0.456, language), '45%');
  }
});
