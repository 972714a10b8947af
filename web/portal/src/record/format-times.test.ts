import assert from 'node:assert/strict';
import { it } from 'node:test';
import { en } from '../words/en.ts';
import { formatTimes } from './format-times.ts';

const fact = { times: 7, firstDay: '2022-01-31', lastDay: '2025-07-13' };
const format = (kind: string, day: string | null, more: object = {}) =>
  formatTimes({ kind, day, ...fact, ...more }, en, 'en').join(' · ');

it('gives the day of the value that stands for several, and says how many results there are', () => {
  assert.equal(
    format('lab', '2025-07-13'),
    'July 13, 2025 · the newest of 7 results, January 31, 2022 to July 13, 2025',
  );
  assert.match(format('vital', '2022-01-31'), /^January 31, 2022 · the first of 7 results/);
  assert.match(format('survey', '2023'), /^2023 · one of 7 results/);
});

it('calls a value the newest after which another was tried for in vain', () => {
  const later = { laterWithoutValue: { day: '2025-07-13', reason: 'Hemolyzed' } };
  assert.match(format('lab', '2022-01-31', later), /^January 31, 2022 · the newest of 7 results/);
});

it('says of words that several entries share that they are shared', () => {
  assert.match(format('visit', '2025-07-13'), /^July 13, 2025 · the same words stand in 7 entries/);
});

it('says how often a name was written down, and of one entry its day alone', () => {
  assert.match(format('condition', '2025-07-13'), /^Written down 7 times/);
  assert.equal(format('lab', '2025-07-13', { times: 1 }), 'July 13, 2025');
});
