import { isTooDeep, TOO_DEEP } from '../../../platform/http/json-body.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';

/** Error codes of JSON-RPC 2.0 §5.1 and of MCP 2026-07-28. */
export const ERROR_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  serverError: -32000,
  headerMismatch: -32020,
  unsupportedProtocolVersion: -32022,
} as const;

/** A number as it was written, which JSON.stringify writes again. */
interface WrittenNumber {
  readonly rawJSON: string;
}

export type RequestId = string | number | WrittenNumber | null;

export interface Message {
  /** Absent for a notification. */
  id?: NonNullable<RequestId>;
  method: string;
  params: Record<string, unknown>;
}

/** A refusal that is answered in JSON-RPC, with the HTTP status of the answer. */
export class RpcRefusal extends Refusal {
  readonly rpcCode: number;
  readonly data: unknown;
  id: RequestId = null;

  constructor(
    rpcCode: number,
    message: string,
    options: { status?: number; data?: unknown; id?: RequestId } = {},
  ) {
    super(options.status ?? 200, 'json_rpc', { detail: message });
    this.name = 'RpcRefusal';
    this.rpcCode = rpcCode;
    this.data = options.data;
    this.id = options.id ?? null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a body into one JSON-RPC message. Batches were removed from MCP in 2025-06-18 and are refused in every version. */
export function parseMessage(body: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new RpcRefusal(ERROR_CODES.parseError, 'Parse error: the body is not well-formed JSON', {
      status: 400,
    });
  }
  if (Array.isArray(value))
    throw createInvalidRequest('Invalid request: batches are not supported; send one message a request');
  if (!isObject(value)) throw createInvalidRequest('Invalid request: the body must be a JSON-RPC object');
  if (isTooDeep(value)) throw createInvalidRequest(`Invalid request: the body is ${TOO_DEEP}`);
  const { id, method, params } = value;
  const known = toRequestId(id, body);
  if (value['jsonrpc'] !== '2.0')
    throw createInvalidRequest('Invalid request: "jsonrpc" must be "2.0"', known);
  if (id !== undefined && known === null)
    throw createInvalidRequest('Invalid request: "id" must be a string or a number');
  if (typeof method !== 'string')
    throw createInvalidRequest('Invalid request: "method" must be a string', known);
  // Clients that write every member send null for none.
  const given = params ?? {};
  if (!isObject(given)) {
    throw new RpcRefusal(ERROR_CODES.invalidParams, 'Invalid params: "params" must be an object', {
      id: known,
    });
  }
  return { ...(known !== null && { id: known }), method, params: given };
}

/** Returns the id to answer with; null for what is none. */
function toRequestId(id: unknown, body: string): RequestId {
  if (typeof id === 'number' && !Number.isSafeInteger(id)) return readWrittenId(body);
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** What the types of TypeScript do not have yet. */
declare const JSON: {
  parse(text: string, reviver?: Reviver): unknown;
  rawJSON(text: string): WrittenNumber;
};
type Visited = [key: string, value: unknown, context: { source?: string }];
type Reviver = (this: object, ...visited: Visited) => unknown;

/** Reads a number that is another one as a number of JavaScript: 2^53 + 1, or one with a fraction of many digits. */
function readWrittenId(body: string): RequestId {
  const written = new WeakMap<object, string>();
  let id: RequestId = null;
  JSON.parse(body, function (key, value, { source }) {
    if (key === 'id' && source !== undefined) written.set(this, source);
    const own = key === '' && isObject(value) ? written.get(value) : undefined;
    if (own !== undefined) id = JSON.rawJSON(own);
    return value;
  });
  return id;
}

const createInvalidRequest = (message: string, id: RequestId = null): RpcRefusal =>
  new RpcRefusal(ERROR_CODES.invalidRequest, message, { status: 400, id });
