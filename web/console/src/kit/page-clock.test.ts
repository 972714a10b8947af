import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createPageClock } from './page-clock.ts';

it('the clock of a page shows the present to who listens after nobody did, and is the same for all until its next tick', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let time = 1000;
  const clock = createPageClock(() => time);
  clock.subscribe(() => {})();
  time = 600_000;
  const stop = clock.subscribe(() => {});
  assert.equal(clock.get(), 600_000, 'a list that is opened minutes later has no times in the future');
  time = 601_000;
  const stopOther = clock.subscribe(() => {});
  assert.equal(clock.get(), 600_000);
  t.mock.timers.tick(20_000);
  assert.equal(clock.get(), 601_000);
  stop();
  stopOther();
});
