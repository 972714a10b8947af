import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sumByReader } from './sum-by-reader.ts';

it('reads are summed by reader, the most first, and nothing else is', () => {
  const use = (kind: string, key: string | null, count: number, refused = 0) => ({
    kind,
    key,
    count,
    refused,
  });
  assert.deepEqual(
    sumByReader([
      use('delivery', null, 900),
      use('fhir_read', null, 3),
      use('tool_call', 'app', 5, 2),
      use('fhir_read', 'app', 1),
    ]),
    [
      { key: 'app', count: 6, refused: 2 },
      { key: null, count: 3, refused: 0 },
    ],
  );
});
