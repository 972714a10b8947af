import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatRelativeTime, isThisHour } from './format-time.ts';

const DAY = 86_400_000;

it('a time is said by how far it is, to the nearest of long units, and never as another day than it is', () => {
  const rows: readonly [difference: number, english: string, spanish: string][] = [
    [-20_000, 'now', 'ahora'],
    [-59 * 60_000, '59 min. ago', 'hace 59 min'],
    [-1.9 * DAY, '1 day ago', 'hace 1 día'],
    [7 * DAY, 'in 7 days', 'dentro de 7 días'],
    [20 * DAY, 'in 3 weeks', 'dentro de 3 semanas'],
    [90 * DAY, 'in 3 months', 'dentro de 3 meses'],
    [364.9 * DAY, 'in 1 year', 'dentro de 1 año'],
  ];
  for (const [difference, english, spanish] of rows)
    assert.deepEqual(
      [formatRelativeTime(difference, 'en'), formatRelativeTime(difference, 'es')],
      [english, spanish],
    );
});

it('knows of a time that is kept by the hour whether that hour is now', () => {
  const now = Date.parse('2026-11-23T10:40:00Z');
  assert.deepEqual(
    ['2026-11-23T10:00:00Z', '2026-11-23T10:38:00Z', '2026-11-23T09:00:00Z'].map((time) =>
      isThisHour(time, now),
    ),
    [true, true, false],
  );
});
