import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

/** JSON-RPC 2.0 §4; validated in the protocol layer, which answers faults with JSON-RPC's own codes. */
export const JsonRpcRequest = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).optional(),
    method: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'JsonRpcRequest' });

export const JsonRpcResponse = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number(), z.null()]),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
  })
  .meta({ id: 'JsonRpcResponse' });

const shared = {
  method: 'POST',
  tag: 'MCP',
  audience: ['patient'],
  dialect: 'mcp',
  protectedResource: true,
  checksToken: true,
  storeUse: 'reads',
  body: JsonRpcRequest,
  headers: {
    'MCP-Protocol-Version': 'The protocol version; a stateless message needs it',
    Accept: '`text/event-stream` alone gets the answer as one event; everything else gets JSON',
  },
  response: JsonRpcResponse,
  alternatives: { 'text/event-stream': z.string().describe('One event, `message`, whose data is the same') },
  refusals: {
    202: 'A notification was accepted',
    400: 'The message is not well-formed, or its headers contradict it',
    403: 'Invalid Project, or Data Access is revoked!',
    404: 'The method is unknown (JSON-RPC -32601), in the stateless protocol of 2026-07-28; earlier versions are answered so with 200',
    413: 'The message is larger than 1 MiB',
    429: 'rate_limited',
  },
} as const;

export const callMcp = defineEndpoint({
  ...shared,
  path: '/mcp',
  aliases: ['/mcp/', '/'],
  name: 'callMcp',
  summary: 'The MCP endpoint (JSON-RPC 2.0, stateless) of the default project',
});

export const callProjectMcp = defineEndpoint({
  ...shared,
  path: '/projects/{projectId}/mcp',
  aliases: ['/projects/{projectId}/mcp/'],
  name: 'callProjectMcp',
  summary: 'The MCP endpoint of any other project',
});
