/** Why the guard said no; nothing was connected to. */
export type RefusedBecause =
  | 'invalid_url'
  | 'not_https'
  | 'credentials_in_url'
  | 'host_not_public'
  | 'address_not_public';

export type FailedBecause =
  | 'name_not_resolved'
  | 'connection_failed'
  | 'tls_failed'
  | 'malformed_answer'
  | 'answer_too_large'
  | 'deadline';

/** Neither error holds a URL or an address: whoever named them would learn from it what our network looks like. */
export class EgressRefused extends Error {
  readonly reason: RefusedBecause;

  constructor(reason: RefusedBecause) {
    super(`request refused: ${reason}`);
    this.name = 'EgressRefused';
    this.reason = reason;
  }
}

export class EgressFailed extends Error {
  readonly reason: FailedBecause;

  constructor(reason: FailedBecause) {
    super(`request failed: ${reason}`);
    this.name = 'EgressFailed';
    this.reason = reason;
  }
}

/** Codes of undici; any other of its own is a mistake of ours. */
const UNDICI: ReadonlyMap<string, FailedBecause> = new Map([
  ['UND_ERR_SOCKET', 'connection_failed'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'connection_failed'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connection_failed'],
  ['UND_ERR_HEADERS_TIMEOUT', 'deadline'],
  ['UND_ERR_BODY_TIMEOUT', 'deadline'],
  ['UND_ERR_HEADERS_OVERFLOW', 'malformed_answer'],
]);

/** Of a socket that undici ended itself: an interim answer nobody asked for, or one to no request. */
const BAD_ANSWER = /^bad (response|upgrade)$/;

/** An error of the network, of TLS or of the parser, by its code; any other is ours and stays what it is. */
export function failureOf(error: unknown): unknown {
  if (error instanceof EgressRefused || error instanceof EgressFailed || error instanceof TypeError)
    return error;
  const { code = '', name, message } = error as NodeJS.ErrnoException;
  if (name === 'HTTPParserError' || BAD_ANSWER.test(message)) return new EgressFailed('malformed_answer');
  // That of a DOMException is a number.
  if (typeof code !== 'string' || code === '') return error;
  if (code.startsWith('HPE_')) return new EgressFailed('malformed_answer');
  if (code.startsWith('UND_ERR')) {
    const reason = UNDICI.get(code);
    return reason === undefined ? error : new EgressFailed(reason);
  }
  // System errors are one word (ECONNREFUSED); those of certificates and of the handshake are several.
  const system = /^E[A-Z0-9]+$/.test(code) && code !== 'EPROTO';
  return new EgressFailed(system ? 'connection_failed' : 'tls_failed');
}
