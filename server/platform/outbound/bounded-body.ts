import type { OutboundResponse } from './request.ts';

/** How long a body may take whose status counts without it. */
export const BODY_TIMEOUT_MS = 1000;

export interface BoundedBody {
  /** False: it is more than there may be, and what is too much is left out. */
  append(chunk: Buffer): boolean;
  body(): Buffer;
}

/** A body as it comes, up to a limit. */
export function createBoundedBody(maxBytes: number): BoundedBody {
  const chunks: Buffer[] = [];
  let length = 0;
  return {
    append(chunk) {
      const fits = length + chunk.length <= maxBytes;
      const accepted = fits ? chunk : chunk.subarray(0, maxBytes - length);
      length += accepted.length;
      chunks.push(accepted);
      return fits;
    },
    body: () => Buffer.concat(chunks, length),
  };
}

/** The length of the body as the headers have it; 0 where they do not say. */
export const parseContentLength = (headers: OutboundResponse['headers']): number =>
  Number(headers['content-length'] ?? 0);
