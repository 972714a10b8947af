import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resolveAnyCoding } from './accept-encoding.ts';

it('reads `*` in Accept-Encoding as a coding that is not listed', () => {
  for (const [header, resolved] of [
    ['*', 'gzip'],
    ['gzip;q=0, *', 'gzip;q=0, br'],
    ['GZIP;q=0,br;q=0 , *;q=0.5', 'gzip;q=0, br;q=0, zstd;q=0.5'],
    ['gzip;q=0, br;q=0, zstd;q=0, *', 'gzip;q=0, br;q=0, zstd;q=0'],
    ['gzip, deflate, br', 'gzip, deflate, br'],
    ['identity;q=0, *;q=0', 'identity;q=0, gzip;q=0'],
  ] as const)
    assert.equal(resolveAnyCoding(header), resolved, header);
});
