import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatDuration } from './format-duration.ts';

it('a duration is said in its largest whole unit', () => {
  for (const [seconds, text] of [
    [3, '1 minute'],
    [2700, '45 minutes'],
    [7300, '2 hours'],
    [200_000, '2 days'],
  ] as const)
    assert.equal(formatDuration(seconds, 'en'), text);
  assert.equal(formatDuration(90_000, 'es'), '1 día');
});
