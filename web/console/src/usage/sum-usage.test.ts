import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compareTotals, countByDay, countByHour, splitByOutcome, type UsageResult } from './sum-usage.ts';

const use = (at: string, kind: UsageResult['kind'], key: string, count: number): UsageResult => ({
  at: `${at}T00:00:00.000Z`,
  kind,
  key,
  count,
  refused: 1,
  failed: 0,
  p50Ms: null,
  p95Ms: null,
});

const RESULTS = [
  use('2026-01-01', 'mail', 'invited', 2),
  use('2026-01-01', 'tool_call', 'get_labs', 1),
  use('2026-01-03', 'tool_call', 'get_labs', 4),
];

it('totals stand beside those of the time before, and what is used no more is there', () => {
  const toTotal = ({ at: _at, ...row }: UsageResult) => row;
  const [mail, labs] = [
    use('2026-01-01', 'mail', 'invited', 2),
    use('2026-01-01', 'tool_call', 'get_labs', 5),
  ];
  const [fewer, ended] = [use('2025-12-01', 'mail', 'invited', 7), use('2025-12-01', 'upload', 'upload', 3)];
  assert.deepEqual(compareTotals([mail, labs], [fewer, ended]), [
    { ...toTotal(labs), before: 0 },
    { ...toTotal(mail), before: 7 },
    { ...toTotal(ended), count: 0, refused: 0, before: 3 },
  ]);
});

it('an hour without use is an hour of the chart', () => {
  const from = new Date('2026-01-01T00:00:00.000Z');
  assert.deepEqual(
    countByHour([use('2026-01-01', 'mail', 'invited', 2)], { from, hours: 2 }).map(({ values }) => values),
    [{ mail: 2 }, {}],
  );
});

it('a day without use is a day of the chart', () => {
  assert.deepEqual(countByDay(RESULTS, { first: '2026-01-01', days: 3, zone: 'UTC' }), [
    { day: '2026-01-01', values: { mail: 2, tool_call: 1 } },
    { day: '2026-01-02', values: {} },
    { day: '2026-01-03', values: { tool_call: 4 } },
  ]);
});

it('reads are those of records alone, each counted once by how it ended', () => {
  const [mail, labs] = [
    use('2026-01-01', 'mail', 'invited', 2),
    { ...use('2026-01-01', 'tool_call', 'get_labs', 9), refused: 3, failed: 2 },
  ];
  const { at } = labs;
  assert.deepEqual(splitByOutcome([mail, labs]), [
    { at, kind: 'answered', count: 4 },
    { at, kind: 'refused', count: 3 },
    { at, kind: 'failed', count: 2 },
  ]);
});
