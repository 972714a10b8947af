import assert from 'node:assert/strict';
import { it } from 'node:test';
import { buildMarks, listBuckets, type WebhookChange } from './change-marks.ts';

const DAYS = { bucket: 'day', zone: 'America/New_York' } as const;
const HOURS = { bucket: 'hour', zone: 'America/New_York' } as const;
const describe = ({ at, change }: WebhookChange): string => `${change} ${at}`;

const FILLED = ['2026-03-06T05:00:00.000Z', '2026-03-09T04:00:00.000Z'].map((at) => ({ at }));

it('a change stands where it was in its day, also in one without deliveries and in one of 23 hours', () => {
  const changes: WebhookChange[] = [
    { at: '2026-03-08T16:30:00.000Z', change: 'url' },
    { at: '2026-03-09T16:00:00.000Z', change: 'paused' },
  ];
  const ats = listBuckets(FILLED, changes, DAYS);
  assert.deepEqual(ats, ['2026-03-06T05:00:00.000Z', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z']);
  assert.deepEqual(buildMarks(ats, changes, { ...DAYS, describe }), [
    { position: 1.5, short: '1', text: 'url 2026-03-08T16:30:00.000Z' },
    { position: 2.5, short: '2', text: 'paused 2026-03-09T16:00:00.000Z' },
  ]);
});

it('changes of one hour are one line, which names them all', () => {
  const changes: WebhookChange[] = [
    { at: '2026-03-09T04:15:00.000Z', change: 'secret' },
    { at: '2026-03-09T04:45:00.000Z', change: 'suspended' },
  ];
  const ats = listBuckets(FILLED, changes, HOURS);
  assert.equal(ats.length, 2);
  assert.deepEqual(buildMarks(ats, changes, { ...HOURS, describe }), [
    {
      position: 1.25,
      short: '1',
      text: 'secret 2026-03-09T04:15:00.000Z; suspended 2026-03-09T04:45:00.000Z',
    },
  ]);
});
