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

/** An error of the network, of TLS or of the parser, by its code; any other is ours and stays what it is. */
export function failureOf(error: unknown): unknown {
  if (error instanceof EgressRefused || error instanceof EgressFailed || error instanceof TypeError)
    return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === '') return error;
  if (code.startsWith('HPE_')) return new EgressFailed('malformed_answer');
  // System errors are one word (ECONNREFUSED); those of certificates and of the handshake are several.
  const system = /^E[A-Z0-9]+$/.test(code) && code !== 'EPROTO';
  return new EgressFailed(system ? 'connection_failed' : 'tls_failed');
}
