import type { IncomingHttpHeaders } from 'node:http';
import { CODES, RpcRefusal, type Message } from './json-rpc.ts';

/**
 * MCP has two eras: versions that open with `initialize`, and the stateless ones in which every request says what it is
 * in `_meta` and in headers. Both are served on one URL (MCP 2026-07-28, basic/versioning, "Backward Compatibility").
 */
export type Era = 'handshake' | 'stateless';

export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export const STATELESS_VERSIONS = ['2026-07-28'] as const;

const META = 'io.modelcontextprotocol/';

const has = (versions: readonly string[], version: unknown): boolean =>
  typeof version === 'string' && versions.includes(version);

/** Which era a message belongs to; for the stateless one its claims are checked against its headers. */
export function eraOf(message: Message, headers: IncomingHttpHeaders): Era {
  const meta = (message.params['_meta'] ?? {}) as Record<string, unknown>;
  const claimed = meta[`${META}protocolVersion`];
  const header = headers['mcp-protocol-version'];
  if (claimed === undefined && (header === undefined || has(HANDSHAKE_VERSIONS, header))) return 'handshake';
  // A client that shakes hands may name in the header what it asks for in the body: `initialize` decides.
  if (claimed === undefined && message.method === 'initialize') return 'handshake';
  checkClaims(message, { meta, claimed, header });
  checkHeader('Mcp-Method', headers['mcp-method'], message.method);
  if (message.method === 'tools/call')
    checkHeader('Mcp-Name', decoded(headers['mcp-name']), message.params['name']);
  return 'stateless';
}

interface Claims {
  meta: Record<string, unknown>;
  claimed: unknown;
  header: string | string[] | undefined;
}

function checkClaims(message: Message, { meta, claimed, header }: Claims): void {
  const refuse = (code: number, text: string, data?: unknown): RpcRefusal =>
    new RpcRefusal(code, text, { status: 400, id: message.id ?? null, data });
  if (header === undefined) throw refuse(CODES.headerMismatch, 'The MCP-Protocol-Version header is missing');
  if (claimed === undefined && !has(STATELESS_VERSIONS, header)) throw unsupported(refuse, header);
  const missing = ['protocolVersion', 'clientCapabilities'].filter((key) => meta[META + key] === undefined);
  if (missing.length > 0) {
    throw refuse(
      CODES.invalidParams,
      `Invalid params: _meta lacks ${missing.map((key) => META + key).join(', ')}`,
    );
  }
  if (claimed !== header)
    throw refuse(CODES.headerMismatch, 'The MCP-Protocol-Version header does not match _meta');
  if (!has(STATELESS_VERSIONS, claimed)) throw unsupported(refuse, claimed);
}

const unsupported = (
  refuse: (code: number, text: string, data?: unknown) => RpcRefusal,
  requested: unknown,
): RpcRefusal =>
  refuse(CODES.unsupportedProtocolVersion, 'Unsupported protocol version', {
    supported: STATELESS_VERSIONS,
    requested,
  });

function checkHeader(name: string, header: string | string[] | undefined, body: unknown): void {
  const problem =
    header === undefined
      ? 'is missing'
      : header === body || body === undefined
        ? null
        : 'does not match the body';
  if (problem) throw new RpcRefusal(CODES.headerMismatch, `The ${name} header ${problem}`, { status: 400 });
}

/** Names that are no plain header text travel as `=?base64?…?=`. */
function decoded(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  const wrapped = /^=\?base64\?([A-Za-z0-9+/]*=*)\?=$/.exec(text ?? '');
  return wrapped ? Buffer.from(wrapped[1] as string, 'base64').toString('utf8') : text;
}
