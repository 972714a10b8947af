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
  /**
   * What becomes of an answer longer than `maxBytes`; `refuse`, an error, by default. With `cut`, the status counts as
   * soon as the headers are there: the body is what came within a second, and a body that breaks off or comes too late
   * is no error.
   */
  overflow?: 'refuse' | 'cut';
  /** Ends the request early, with its reason. */
  signal?: AbortSignal;
}

export interface OutboundResponse {
  /** May be 3xx: redirects are not followed. */
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The body was cut, broke off, or did not end in time. */
  truncated?: boolean;
}
