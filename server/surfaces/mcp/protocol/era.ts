import type { IncomingHttpHeaders } from 'node:http';
import { ERROR_CODES, RpcRefusal, type Message } from './json-rpc.ts';

/**
 * MCP has two eras: versions that open with `initialize`, and stateless ones in which every request carries its version in
 * `_meta` and in headers. Both are served on one URL (MCP 2026-07-28, basic/versioning, "Backward Compatibility").
 */
export type Era = 'handshake' | 'stateless';

export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export const STATELESS_VERSIONS = ['2026-07-28'] as const;

/** All versions of both eras, the newest first: what a client may choose from after `server/discover` and after a refusal. */
export const SUPPORTED_VERSIONS: readonly string[] = [...STATELESS_VERSIONS, ...HANDSHAKE_VERSIONS];

const includesVersion = (versions: readonly string[], version: unknown): boolean =>
  typeof version === 'string' && versions.includes(version);

/** Versions under which a model sees a fault in the arguments, as a result that it can mend (2025-11-25, changelog). */
const VERSIONS_WITH_INPUT_ERRORS: readonly string[] = ['2025-11-25', ...STATELESS_VERSIONS];

/** Whether invalid arguments are answered as a result with `isError`, and not as a protocol error. */
export const answersInputErrorsAsResults = (headers: IncomingHttpHeaders): boolean =>
  includesVersion(VERSIONS_WITH_INPUT_ERRORS, headers['mcp-protocol-version']);

const META_PREFIX = 'io.modelcontextprotocol/';

/** Returns the era of a message; throws when a stateless message's `_meta` and headers contradict each other. */
export function resolveEra(message: Message, headers: IncomingHttpHeaders): Era {
  const meta = (message.params['_meta'] ?? {}) as Record<string, unknown>;
  const metaVersion = meta[`${META_PREFIX}protocolVersion`];
  const header = headers['mcp-protocol-version'];
  if (metaVersion === undefined && (header === undefined || includesVersion(HANDSHAKE_VERSIONS, header)))
    return 'handshake';
  // Who chose a version of that era from the list above may name it in `_meta` too.
  if (metaVersion === header && includesVersion(HANDSHAKE_VERSIONS, metaVersion)) return 'handshake';
  // The header may name the version that `initialize` requests in the body; negotiation decides.
  if (metaVersion === undefined && message.method === 'initialize') return 'handshake';
  validateVersionClaims(message, { meta, metaVersion, header });
  checkHeader('Mcp-Method', headers['mcp-method'], message.method);
  if (message.method === 'tools/call')
    checkHeader('Mcp-Name', decodeHeader(headers['mcp-name']), message.params['name']);
  return 'stateless';
}

interface VersionClaims {
  meta: Record<string, unknown>;
  metaVersion: unknown;
  header: string | string[] | undefined;
}

function validateVersionClaims(message: Message, { meta, metaVersion, header }: VersionClaims): void {
  const buildRefusal = (code: number, text: string, data?: unknown): RpcRefusal =>
    new RpcRefusal(code, text, { status: 400, id: message.id ?? null, data });
  if (header === undefined)
    throw buildRefusal(ERROR_CODES.headerMismatch, 'The MCP-Protocol-Version header is missing');
  if (metaVersion === undefined && !includesVersion(STATELESS_VERSIONS, header))
    throw buildUnsupportedVersion(buildRefusal, header);
  const missing = ['protocolVersion', 'clientCapabilities'].filter(
    (key) => meta[META_PREFIX + key] === undefined,
  );
  if (missing.length > 0) {
    throw buildRefusal(
      ERROR_CODES.invalidParams,
      `Invalid params: _meta lacks ${missing.map((key) => META_PREFIX + key).join(', ')}`,
    );
  }
  if (metaVersion !== header)
    throw buildRefusal(ERROR_CODES.headerMismatch, 'The MCP-Protocol-Version header does not match _meta');
  if (!includesVersion(STATELESS_VERSIONS, metaVersion))
    throw buildUnsupportedVersion(buildRefusal, metaVersion);
}

const buildUnsupportedVersion = (
  buildRefusal: (code: number, text: string, data?: unknown) => RpcRefusal,
  requested: unknown,
): RpcRefusal =>
  buildRefusal(ERROR_CODES.unsupportedProtocolVersion, 'Unsupported protocol version', {
    supported: SUPPORTED_VERSIONS,
    requested,
  });

function checkHeader(name: string, header: string | string[] | undefined, body: unknown): void {
  const problem =
    header === undefined
      ? 'is missing'
      : header === body || body === undefined
        ? null
        : 'does not match the body';
  if (problem)
    throw new RpcRefusal(ERROR_CODES.headerMismatch, `The ${name} header ${problem}`, { status: 400 });
}

/** Decodes a name that is not plain header text and travels as `=?base64?…?=`. */
function decodeHeader(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  const wrapped = /^=\?base64\?([A-Za-z0-9+/]*=*)\?=$/.exec(text ?? '');
  return wrapped ? Buffer.from(wrapped[1] as string, 'base64').toString('utf8') : text;
}
