import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UsageResult } from '../usage/sum-usage.ts';
import { averageBefore, sumActivity } from './sum-activity.ts';

const used = (
  at: string,
  kind: UsageResult['kind'],
  { count, refused = 0, failed = 0 }: { count: number; refused?: number; failed?: number },
): UsageResult => ({
  at,
  kind,
  key: null,
  count,
  refused,
  failed,
  p50Ms: null,
  p95Ms: null,
});
const bucket = (start: string, given: number, inForce: number) => ({
  start,
  given,
  changed: 0,
  refused: 0,
  withdrawn: 1,
  ended: 2,
  inForce,
});
const RANGE = { first: '2026-03-01', days: 3, zone: 'Europe/Berlin' };

describe('the activity of a range', () => {
  it('has consents and reads of each day of the zone, calls that failed not among them, and zeros where nothing was', () => {
    const days = sumActivity(
      {
        stats: { buckets: [bucket('2026-03-01', 4, 10), bucket('2026-03-02', 0, 7)] },
        usage: [
          used('2026-02-28T23:00:00.000Z', 'tool_call', { count: 14, refused: 3, failed: 4 }),
          used('2026-02-28T23:00:00.000Z', 'fhir_read', { count: 2 }),
          used('2026-02-28T23:00:00.000Z', 'delivery', { count: 50 }),
        ],
        figures: [{ day: '2026-03-01', activePatients: 3 }],
      },
      RANGE,
    );
    assert.deepEqual(days, [
      { day: '2026-03-01', values: { given: 4, ended: 3, inForce: 10, reads: 9, patients: 3, refused: 3 } },
      { day: '2026-03-02', values: { given: 0, ended: 3, inForce: 7, reads: 0, patients: 0, refused: 0 } },
      { day: '2026-03-03', values: { given: 0, ended: 0, inForce: 0, reads: 0, patients: 0, refused: 0 } },
    ]);
    assert.equal(averageBefore(days, 'reads'), 4.5);
  });

  it('leaves out what the member may not see', () => {
    const [day] = sumActivity({ stats: undefined, usage: [], figures: [] }, RANGE);
    assert.deepEqual(day?.values, { reads: 0, patients: 0, refused: 0 });
    assert.equal(averageBefore([], 'reads'), null);
  });
});
