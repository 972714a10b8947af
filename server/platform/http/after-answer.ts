import type { FastifyReply } from 'fastify';

/**
 * Runs an action once: when an answer has left, or when it can no longer leave, since its reader has gone or it was broken off. The
 * framework's `onResponse` is of the former alone.
 */
export function afterAnswer({ raw }: FastifyReply, action: () => void): void {
  if (raw.closed) action();
  else raw.once('close', action);
}

/** Whether an answer did not leave as a whole. */
export const isBrokenOff = ({ raw }: FastifyReply): boolean => !raw.writableFinished;

/** The status that was sent; 499 where the reader had gone before there was one, as nginx has it. */
export const getSentStatus = ({ raw, statusCode }: FastifyReply): number =>
  raw.headersSent ? statusCode : 499;
