import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Sends a text with a weak ETag of it (RFC 9110 §8.8.3), or 304 without a body where the caller has it: an idle list that is
 * asked for every five seconds costs its headers. `Cache-Control: no-store` stays: nobody keeps the answer but the program
 * that asked.
 */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, type }: { text: string; type: string },
): FastifyReply {
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  reply.header('etag', etag);
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(type).send(text);
}

/** Whether a list of tags has this one, by weak comparison (RFC 9110 §13.1.2). */
export const namesTag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',').some((tag) => tag.trim() === '*' || weaken(tag.trim()) === weaken(etag));

const weaken = (tag: string): string => tag.replace(/^W\//, '');
