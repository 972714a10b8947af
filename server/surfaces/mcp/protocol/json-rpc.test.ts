import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMessage, RpcRefusal } from './json-rpc.ts';

const parse = (params: unknown) =>
  parseMessage(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }));

describe('the params of a message', () => {
  it('are none where they are absent or null', () => {
    for (const params of [undefined, null]) assert.deepEqual(parse(params).params, {});
  });

  it('are refused where they are no object', () => {
    for (const params of [[], 'x', 7, false])
      assert.throws(
        () => parse(params),
        (error) => error instanceof RpcRefusal && error.rpcCode === -32602,
      );
  });
});
