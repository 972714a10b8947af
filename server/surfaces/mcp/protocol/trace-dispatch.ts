import { readMonotonicMs } from '../../../platform/kernel/clock.ts';
import {
  getErrorType,
  type Attributes,
  type SpanOptions,
  type Telemetry,
} from '../../../platform/telemetry/telemetry.ts';
import { TOOLS_BY_NAME } from '../tools/tools.ts';
import { RpcRefusal } from './json-rpc.ts';
import { dispatchRequest, isKnownMethod, type RpcRequest } from './methods.ts';

/**
 * Writes a span and a duration for each request by the semantic conventions of MCP (OpenTelemetry GenAI, "Development"). Its
 * parent is the `traceparent` in `_meta`, with a link to the HTTP request, or else that request. Of what the caller wrote only
 * names that we know are kept: no arguments, no `jsonrpc.request.id`, no other method or tool.
 */
export const traceDispatch =
  (telemetry: Telemetry): typeof dispatchRequest =>
  async (deps, caller, request) => {
    const attributes = describeRequest(request);
    const begunMs = readMonotonicMs();
    const span = telemetry.startSpan(buildSpan(request, attributes));
    let error: string | null = null;
    try {
      const result = await span.run(() => dispatchRequest(deps, caller, request));
      if (result['isError'] === true) error = 'tool_error';
      return result;
    } catch (thrown) {
      error = thrown instanceof RpcRefusal ? `${thrown.rpcCode}` : getErrorType(thrown);
      if (thrown instanceof RpcRefusal) span.set({ 'rpc.response.status_code': error });
      throw thrown;
    } finally {
      if (error !== null) span.fail(error);
      span.end();
      telemetry.recordDuration('mcp.server.operation.duration', (readMonotonicMs() - begunMs) / 1000, {
        ...attributes,
        ...(error !== null && { 'error.type': error }),
      });
    }
  };

function describeRequest({ era, message: { method, params } }: RpcRequest): Attributes {
  const name = isKnownMethod(era, method) ? method : '_OTHER';
  const version = getMeta(params)['io.modelcontextprotocol/protocolVersion'];
  const tool = method === 'tools/call' && typeof params['name'] === 'string' ? params['name'] : '';
  return {
    'mcp.method.name': name,
    'network.protocol.name': 'http',
    'network.transport': 'tcp',
    // One that is not known has been refused before.
    ...(era === 'stateless' && { 'mcp.protocol.version': String(version) }),
    ...(TOOLS_BY_NAME.has(tool) && { 'gen_ai.tool.name': tool, 'gen_ai.operation.name': 'execute_tool' }),
  };
}

function buildSpan({ message: { params } }: RpcRequest, attributes: Attributes): SpanOptions {
  const { traceparent } = getMeta(params);
  return {
    name: [attributes['mcp.method.name'], attributes['gen_ai.tool.name']].filter(Boolean).join(' '),
    kind: 'SERVER',
    attributes,
    ...(typeof traceparent === 'string' && { parent: traceparent }),
  };
}

const getMeta = (params: Record<string, unknown>): Record<string, unknown> =>
  (params['_meta'] ?? {}) as Record<string, unknown>;
