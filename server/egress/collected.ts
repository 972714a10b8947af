import type { EgressAnswer } from './request.ts';

/** How long a body may take whose status counts without it. */
export const BODY_MS = 1000;

export interface Collected {
  /** False: it is more than there may be, and what is too much is left out. */
  take(chunk: Buffer): boolean;
  body(): Buffer;
}

/** A body as it comes, up to a limit. */
export function collected(maxBytes: number): Collected {
  const chunks: Buffer[] = [];
  let length = 0;
  return {
    take(chunk) {
      const fits = length + chunk.length <= maxBytes;
      const taken = fits ? chunk : chunk.subarray(0, maxBytes - length);
      length += taken.length;
      chunks.push(taken);
      return fits;
    },
    body: () => Buffer.concat(chunks, length),
  };
}

/** The length of the body as the headers have it; 0 where they do not say. */
export const announced = (headers: EgressAnswer['headers']): number => Number(headers['content-length'] ?? 0);
