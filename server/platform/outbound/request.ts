import { LoggableError } from '../kernel/log-message.ts';
import type { IncomingHttpHeaders } from 'node:http';

export interface OutboundRequest {
  method: 'GET' | 'POST';
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Covers DNS, TLS, the request and the whole answer. */
  timeoutMs: number;
  maxBytes: number;
  /** Permits loopback and private networks: for addresses that the operator names. */
  allowPrivate?: boolean;
  /** Permits `http:` to loopback and private networks, and nowhere else: for a program on the operator's own machine. */
  allowPlain?: boolean;
  /**
   * What becomes of an answer longer than `maxBytes`; `refuse`, an error, by default. With `cut`, the status counts as
   * soon as the headers are there: the body is what came within a second, and a body that breaks off or comes too late
   * is no error.
   */
  overflow?: 'refuse' | 'cut';
  /**
   * Whose request it is, of a client that keeps connections: one of another never comes on the same connection. HTTP/1.1 answers
   * in order, so that an answer too many of a broken server would count as that to somebody else's request.
   */
  owner?: string;
  /** Ends the request early, with its reason. */
  signal?: AbortSignal;
  /** For how long a request goes on after `signal`. */
  graceMs?: number;
}

export interface OutboundResponse {
  /** May be 3xx: redirects are not followed. */
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The body was cut, broke off, or did not end in time. */
  truncated?: boolean;
}

/** Why the guard refused a request; nothing was connected to. */
export type RefusalReason =
  | 'invalid_url'
  | 'not_https'
  | 'credentials_in_url'
  | 'host_not_public'
  | 'address_not_public';

export type FailureReason =
  | 'name_not_resolved'
  | 'connection_failed'
  | 'tls_failed'
  | 'malformed_answer'
  | 'answer_too_large'
  | 'deadline';

/** Neither error holds a URL or an address: whoever named them would learn from it what our network looks like. */
export class OutboundRefusedError extends LoggableError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`request refused: ${reason}`);
    this.name = 'OutboundRefusedError';
    this.reason = reason;
  }
}

export class OutboundFailedError extends LoggableError {
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super(`request failed: ${reason}`);
    this.name = 'OutboundFailedError';
    this.reason = reason;
  }
}

/** What undici's codes mean; any other of its codes is a fault of our own. */
const UNDICI_REASONS: ReadonlyMap<string, FailureReason> = new Map([
  ['UND_ERR_SOCKET', 'connection_failed'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'connection_failed'],
  ['UND_ERR_HEADERS_OVERFLOW', 'malformed_answer'],
]);

/** What undici says when it ends a socket itself: an interim answer that nobody asked for, or an answer to no request. */
const BAD_RESPONSE = /^bad (response|upgrade)$/;

/** Maps an error of the network, of TLS or of the parser by its code; returns any other, a fault of our own, as it is. */
export function toOutboundError(error: unknown): unknown {
  if (
    error instanceof OutboundRefusedError ||
    error instanceof OutboundFailedError ||
    error instanceof TypeError
  )
    return error;
  const { code = '', name, message } = error as NodeJS.ErrnoException;
  if (name === 'HTTPParserError' || BAD_RESPONSE.test(message))
    return new OutboundFailedError('malformed_answer');
  // The code of a DOMException is a number.
  if (typeof code !== 'string' || code === '') return error;
  // Of undici's own assertions, which a status below 100 fails.
  if (code.startsWith('HPE_') || code === 'ERR_ASSERTION') return new OutboundFailedError('malformed_answer');
  if (code.startsWith('UND_ERR')) {
    const reason = UNDICI_REASONS.get(code);
    return reason === undefined ? error : new OutboundFailedError(reason);
  }
  // System errors are one word (ECONNREFUSED); those of certificates and of the handshake are several.
  const system = /^E[A-Z0-9]+$/.test(code) && code !== 'EPROTO';
  return new OutboundFailedError(system ? 'connection_failed' : 'tls_failed');
}
