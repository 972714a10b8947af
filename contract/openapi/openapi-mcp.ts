import tools from '../mcp/tools.json' with { type: 'json' };

type Json = Record<string, unknown>;

/** As `tools/list` names them: written by tools/write-mcp-tools.ts. */
const MCP_TOOLS: readonly { name: string; title: string; description: string; inputSchema: Json }[] = tools;

const TEXT = { type: 'string' };

const object = (properties: Json, required = Object.keys(properties)): Json => ({
  type: 'object',
  properties,
  required,
});

const described = (schema: Json, description: string): Json => ({ ...schema, description });

const isRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const VERSION = described(
  TEXT,
  'One of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, and 2026-07-28 without `initialize`; an unknown one is answered with 2025-11-25',
);

/** `Implementation` of MCP's schema. */
const IMPLEMENTATION = { name: TEXT, version: TEXT };

const TOOL_CALLS: readonly Json[] = MCP_TOOLS.map(({ name, title, description, inputSchema }) => ({
  title,
  description,
  ...object({ name: { const: name }, arguments: inputSchema }, [
    'name',
    ...('required' in inputSchema ? ['arguments'] : []),
  ]),
}));

const LAST_LINE =
  'Markdown. A history ends with `hasMoreData: true | dateRange: 2023-11-20 to 2026-11-20 | nextBeforeDate: 2022-04-05`; `nextBeforeDate`, which continues as `beforeDate`, is absent where `hasMoreData` is false';

const TOOL = object({
  name: { enum: MCP_TOOLS.map(({ name }) => name) },
  title: TEXT,
  description: TEXT,
  inputSchema: { type: 'object' },
  annotations: object({
    readOnlyHint: { const: true },
    idempotentHint: { const: true },
    openWorldHint: { const: false },
  }),
  _meta: object({ 'anthropic/maxResultSizeChars': { type: 'integer' } }),
});

/** What stands in `params` and `result` of the methods, by MCP's own schema; JSON-RPC leaves both open. */
const SCHEMAS: Readonly<Record<string, Json>> = {
  McpInitializeParams: described(
    object({
      protocolVersion: VERSION,
      capabilities: { type: 'object' },
      clientInfo: object(IMPLEMENTATION),
    }),
    '`params` of `initialize`',
  ),
  McpInitializeResult: described(
    object({
      protocolVersion: VERSION,
      capabilities: object({ tools: { type: 'object' } }),
      serverInfo: object({ ...IMPLEMENTATION, description: TEXT }),
    }),
    '`result` of `initialize`',
  ),
  McpToolCall: { description: '`params` of `tools/call`', anyOf: TOOL_CALLS },
  McpToolList: described(object({ tools: { type: 'array', items: TOOL } }), '`result` of `tools/list`'),
  McpToolResult: described(
    object(
      {
        content: {
          type: 'array',
          items: object({ type: { const: 'text' }, text: described(TEXT, LAST_LINE) }),
        },
        isError: described(
          { type: 'boolean' },
          'true: the arguments are invalid, and the text says what to change; earlier versions than 2025-11-25 get the error -32602',
        ),
      },
      ['content'],
    ),
    '`result` of `tools/call`',
  ),
  McpResourceList: described(
    object({ resources: { type: 'array', items: { type: 'object' } } }),
    '`result` of `resources/list`: empty',
  ),
};

const METHODS =
  'initialize, notifications/initialized, ping, tools/list, tools/call, resources/list, server/discover';

const CODES =
  '-32700 no JSON, -32600 invalid request, -32601 unknown method, -32602 invalid params, -32603 internal error, -32000 no patient context, -32020 headers that contradict the message, -32022 unsupported protocol version';

type Properties = Record<string, Json>;

/** Adds what MCP says in `params` and `result`, with the tools and their arguments, to the components of JSON-RPC. */
export function describeMcp(schemas: Record<string, Json>): Record<string, Json> {
  const { JsonRpcRequest, JsonRpcResponse } = schemas;
  if (JsonRpcRequest === undefined || JsonRpcResponse === undefined) return schemas;
  const asked = JsonRpcRequest['properties'] as Properties;
  const given = JsonRpcResponse['properties'] as Properties;
  const open = { type: 'object' };
  const { error } = given;
  const code = (error?.['properties'] as Properties | undefined)?.['code'];
  return {
    ...schemas,
    ...SCHEMAS,
    JsonRpcRequest: {
      ...JsonRpcRequest,
      properties: {
        ...asked,
        method: described(asked['method'] ?? {}, METHODS),
        params: { anyOf: [isRef('McpToolCall'), isRef('McpInitializeParams'), open] },
      },
    },
    JsonRpcResponse: {
      ...JsonRpcResponse,
      properties: {
        ...given,
        result: {
          anyOf: [
            ...['McpToolResult', 'McpToolList', 'McpInitializeResult', 'McpResourceList'].map(isRef),
            open,
          ],
        },
        error: {
          ...error,
          properties: { ...(error?.['properties'] as Properties), code: described(code ?? {}, CODES) },
        },
      },
    },
  };
}
