import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sumByReader } from './sum-by-reader.ts';

it('reads that were answered are summed by reader, the most first, refused ones apart, and nothing else, nor what failed', () => {
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
      use('tool_call', 'blocked', 9, 9),
    ]),
    [
      { key: 'app', reads: 4, refused: 2 },
      { key: null, reads: 3, refused: 0 },
      { key: 'blocked', reads: 0, refused: 9 },
    ],
  );
});
