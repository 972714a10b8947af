import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sumByReader } from './sum-by-reader.ts';

it('reads are summed by reader, the most first, and nothing else is, nor what failed', () => {
  const use = (kind: string, key: string | null, count: number, refused = 0, failed = 0) => ({
    kind,
    key,
    count,
    refused,
    failed,
  });
  assert.deepEqual(
    sumByReader([
      use('delivery', null, 900),
      use('fhir_read', null, 3),
      use('tool_call', 'app', 8, 2, 3),
      use('fhir_read', 'app', 1),
      use('tool_call', 'faulty', 2, 0, 2),
    ]),
    [
      { key: 'app', count: 6, refused: 2 },
      { key: null, count: 3, refused: 0 },
    ],
  );
});
