import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '../kernel/refusal.ts';
import { toProblem } from './problem-dialect.ts';

/** The errors of Node's HTTP parser that have an answer of their own; any other is a malformed request. */
const PARSER_REFUSALS: ReadonlyMap<string, [number, string, string]> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'request_timeout', 'The request did not arrive in time.']],
  ['HPE_HEADER_OVERFLOW', [431, 'headers_too_large', 'The headers of the request are too large.']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'body_too_large', 'The chunk extensions are too large.']],
]);

/** Answers a request that the HTTP parser refused, and that therefore reaches no route: problem details here, too. */
export function answerParserError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, code, detail] = PARSER_REFUSALS.get(error.code ?? '') ?? [
    400,
    'malformed_request',
    'The request is not well-formed HTTP.',
  ];
  writeRawProblem(socket, new Refusal(status, code, { detail }));
  socket.destroy(error);
}

/** Writes a whole response to the socket itself, where no response object can: its request has not ended, or never began. */
export function writeRawProblem(socket: Duplex, refusal: Refusal): void {
  if (!socket.writable) return;
  const body = JSON.stringify(toProblem(refusal));
  socket.write(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
      'content-type: application/problem+json',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
