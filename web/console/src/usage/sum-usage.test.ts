import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countByDay, sumTotals, type UsageResult } from './sum-usage.ts';

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

it('usage is added up by kind and key, the most used first', () => {
  assert.deepEqual(sumTotals(RESULTS), [
    { kind: 'tool_call', key: 'get_labs', count: 5, refused: 2, failed: 0 },
    { kind: 'mail', key: 'invited', count: 2, refused: 1, failed: 0 },
  ]);
});

it('a day without use is a day of the chart', () => {
  assert.deepEqual(countByDay(RESULTS, { first: '2026-01-01', days: 3, zone: 'UTC' }), [
    { day: '2026-01-01', values: { mail: 2, tool_call: 1 } },
    { day: '2026-01-02', values: {} },
    { day: '2026-01-03', values: { tool_call: 4 } },
  ]);
});
