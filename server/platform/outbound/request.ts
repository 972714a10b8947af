import type { IncomingHttpHeaders } from 'node:http';

export interface OutboundRequest {
  method: 'GET' | 'POST';
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** For everything together: DNS, TLS, the request and the whole answer. */
  timeoutMs: number;
  maxBytes: number;
  /** Loopback and private networks too: for addresses that the operator names. */
  allowPrivate?: boolean;
  /**
   * What becomes of an answer longer than `maxBytes`: an error unless said. Cut, its status counts as soon as its headers
   * came: of the body there is what came within a second, and that it breaks off or comes too late is no error.
   */
  overflow?: 'refuse' | 'cut';
  /** Ends the request early, with its reason. */
  signal?: AbortSignal;
}

export interface OutboundResponse {
  /** 3xx too: redirects are not followed. */
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** It was cut, broke off, or its end did not come in time. */
  truncated?: boolean;
}

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}
