/** Why the guard said no; nothing was connected to. */
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
export class OutboundRefusedError extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`request refused: ${reason}`);
    this.name = 'OutboundRefusedError';
    this.reason = reason;
  }
}

export class OutboundFailedError extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super(`request failed: ${reason}`);
    this.name = 'OutboundFailedError';
    this.reason = reason;
  }
}

/** Codes of undici; any other of its own is a mistake of ours. */
const UNDICI_REASONS: ReadonlyMap<string, FailureReason> = new Map([
  ['UND_ERR_SOCKET', 'connection_failed'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'connection_failed'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connection_failed'],
  ['UND_ERR_HEADERS_TIMEOUT', 'deadline'],
  ['UND_ERR_BODY_TIMEOUT', 'deadline'],
  ['UND_ERR_HEADERS_OVERFLOW', 'malformed_answer'],
]);

/** Of a socket that undici ended itself: an interim answer nobody asked for, or one to no request. */
const BAD_RESPONSE = /^bad (response|upgrade)$/;

/** An error of the network, of TLS or of the parser, by its code; any other is ours and stays what it is. */
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
  // That of a DOMException is a number.
  if (typeof code !== 'string' || code === '') return error;
  if (code.startsWith('HPE_')) return new OutboundFailedError('malformed_answer');
  if (code.startsWith('UND_ERR')) {
    const reason = UNDICI_REASONS.get(code);
    return reason === undefined ? error : new OutboundFailedError(reason);
  }
  // System errors are one word (ECONNREFUSED); those of certificates and of the handshake are several.
  const system = /^E[A-Z0-9]+$/.test(code) && code !== 'EPROTO';
  return new OutboundFailedError(system ? 'connection_failed' : 'tls_failed');
}
