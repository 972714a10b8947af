import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '../kernel/refusal.ts';
import { negotiateLanguages, PAGE_HEADERS, prefersPage, renderErrorPage } from './error-page.ts';
import { toProblem } from './problem-dialect.ts';

/** The errors of Node's HTTP parser that have an answer of their own; any other is a malformed request. */
const PARSER_REFUSALS: ReadonlyMap<string, [number, string, string]> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'request_timeout', 'The request did not arrive in time.']],
  ['HPE_HEADER_OVERFLOW', [431, 'headers_too_large', 'The headers of the request are too large.']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'body_too_large', 'The chunk extensions are too large.']],
]);

/**
 * Answers a request that the HTTP parser refused, and that therefore reaches no route: a page for a browser that opened a link
 * which is too long, problem details for everybody else.
 */
export function answerParserError(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Duplex,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, code, detail] = PARSER_REFUSALS.get(error.code ?? '') ?? [
    400,
    'malformed_request',
    'The request is not well-formed HTTP.',
  ];
  const refusal = new Refusal(status, code, { detail });
  const beginning = parseBeginning(error.rawPacket);
  if (beginning && prefersPage(beginning)) writeRawPage(socket, refusal, beginning.language);
  else writeRawProblem(socket, refusal);
  socket.destroy(error);
}

/** Reads what is there of a request: null for a header that may have been cut off, and for what is no GET. */
function parseBeginning(
  bytes: unknown,
): { url: string; accept: string | null; language: string | null } | null {
  const text = Buffer.isBuffer(bytes) ? bytes.toString('latin1') : '';
  const url = /^(?:GET|HEAD) (\/[^ ]*)/.exec(text)?.[1];
  if (url === undefined) return null;
  const isWhole = text.includes('\r\n\r\n');
  const find = (name: string): string | null =>
    new RegExp(`\r\n${name}: *([^\r]*)\r\n`, 'i').exec(text)?.[1] ?? (isWhole ? '' : null);
  return { url, accept: find('accept'), language: find('accept-language') };
}

const writeRawPage = (socket: Duplex, refusal: Refusal, language: string | null): void =>
  writeRaw(socket, refusal.status, {
    headers: { 'content-type': 'text/html; charset=utf-8', ...PAGE_HEADERS },
    body: renderErrorPage(refusal, negotiateLanguages(language)),
  });

/** Writes a whole response to the socket itself, where no response object can: its request has not ended, or never began. */
export const writeRawProblem = (socket: Duplex, refusal: Refusal): void =>
  writeRaw(socket, refusal.status, {
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify(toProblem(refusal)),
  });

function writeRaw(
  socket: Duplex,
  status: number,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
): void {
  if (!socket.writable) return;
  const all = {
    ...headers,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'));
}
