import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HANDSHAKE_VERSIONS, resolveEra, SUPPORTED_VERSIONS } from './era.ts';
import { RpcRefusal } from './json-rpc.ts';

const claim = (version: string) =>
  resolveEra(
    {
      id: 1,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    { 'mcp-protocol-version': version, 'mcp-method': 'tools/list' },
  );

describe('the era of a request', () => {
  it('refuses an unknown version with all versions that are served', () => {
    assert.throws(
      () => claim('1900-01-01'),
      (error) => {
        assert.ok(error instanceof RpcRefusal);
        assert.deepEqual(error.data, {
          supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
          requested: '1900-01-01',
        });
        return error.rpcCode === -32022;
      },
    );
  });

  it('serves every version that it names, in `_meta` too', () => {
    for (const version of SUPPORTED_VERSIONS) assert.doesNotThrow(() => claim(version), version);
    for (const version of HANDSHAKE_VERSIONS) assert.equal(claim(version), 'handshake');
  });
});
