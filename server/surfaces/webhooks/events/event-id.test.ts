import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EventId } from '../../../../contract/brands.ts';
import { MAX_EVENT_ID, eventIdFromTime, MIN_EVENT_ID } from './event-id.ts';
import { generateEventId } from './event-id.ts';

const AT = new Date('2026-11-20T09:30:00.123Z');
const after = (ms: number): Date => new Date(AT.getTime() + ms);

describe('the smallest event id of a time', () => {
  it('is an event id', () => {
    assert.equal(EventId.safeParse(eventIdFromTime(AT)).success, true);
  });

  it('sorts before events emitted in that millisecond and after those of the millisecond before', () => {
    for (let n = 0; n < 100; n++) {
      assert.ok(eventIdFromTime(AT) <= generateEventId(AT));
      assert.ok(generateEventId(AT) < eventIdFromTime(after(1)));
      assert.ok(generateEventId(after(-1)) < eventIdFromTime(AT));
    }
  });

  it('exists for times at which no event can be emitted', () => {
    for (const time of ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59.999Z']) {
      const id = eventIdFromTime(new Date(time));
      assert.ok(MIN_EVENT_ID < id && id < MAX_EVENT_ID, time);
    }
  });
});
