import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatSpan } from './format-span.ts';

it('gives days their articles in Spanish, and months and years none', () => {
  assert.equal(
    formatSpan('31 de enero de 2022', '13 de julio de 2025'),
    'del 31 de enero de 2022 al 13 de julio de 2025',
  );
  assert.equal(formatSpan('marzo de 2021', '2024'), 'de marzo de 2021 a 2024');
});
