import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countByHour } from './count-by-hour.ts';

it('hours are counted by weekday and hour of the zone, also across midnight, what failed is not, and the newest is known', () => {
  const hours = [
    { at: '2026-01-05T03:00:00.000Z', count: 5, refused: 1, failed: 2 },
    { at: '2026-01-12T03:00:00.000Z', count: 4, refused: 0, failed: 0 },
    { at: '2026-01-19T03:00:00.000Z', count: 1, refused: 0, failed: 1 },
  ];
  assert.deepEqual(countByHour(hours, { timeZone: 'UTC', shown: 'listed' })[0]?.[3], {
    count: 7,
    newest: '2026-01-12T03:00:00.000Z',
  });
  const newYork = countByHour(hours, { timeZone: 'America/New_York', shown: 'listed' });
  assert.equal(newYork[6]?.[22]?.count, 7);
  assert.equal(
    newYork.flat().reduce((sum, { count }) => sum + count, 0),
    7,
  );
  assert.deepEqual(countByHour(hours, { timeZone: 'UTC', shown: 'refused' })[0]?.[3], {
    count: 1,
    newest: '2026-01-05T03:00:00.000Z',
  });
});
