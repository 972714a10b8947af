import { Refusal } from '../kernel/refusal.ts';
import type { App } from './app.ts';
import { describeRequest } from './describe-request.ts';
import { LimitedMessage } from './limited-message.ts';
import { writeRawProblem } from './raw-problem.ts';

/** Milliseconds. */
export interface BodyLimits {
  /** How long a body may take in all. */
  totalMs: number;
  /** The same of an endpoint whose body may be slow: 100 MiB in an hour are 29 kB a second. */
  slowTotalMs: number;
  /** How long a body may bring nothing. */
  silenceMs: number;
}

export const BODY_LIMITS: BodyLimits = { totalMs: 120_000, slowTotalMs: 3_600_000, silenceMs: 60_000 };

/** Node's own limit of a whole request, which comes after ours. */
export const REQUEST_TIMEOUT_MS = BODY_LIMITS.slowTotalMs + 60_000;

/**
 * Ends requests whose body is silent for a minute, or takes longer than its endpoint permits, with 408 (RFC 9110 §15.5.9), and
 * those whose body comes in a flood of tiny pieces with 413.
 * Node's `requestTimeout` is one limit for all, which would have to be that of the slowest upload.
 */
export function limitBodyTimes(app: App, limits: BodyLimits = BODY_LIMITS): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    if (!hasBody(raw.headers)) return;
    const end = (refusal: Refusal): void => {
      stop();
      if (raw.complete || raw.destroyed) return;
      if (!reply.raw.headersSent) writeRawProblem(raw.socket, refusal);
      const { status, code } = refusal;
      request.log.info({ ...describeRequest(request), status, code }, 'request refused');
      raw.destroy();
    };
    const { slowBody = false } = request.routeOptions.config as { slowBody?: boolean };
    // Of a request that was cut off before this hook no end is heard: a stopped process does not wait for these.
    const total = setTimeout(
      () => end(createTimeoutRefusal('too_slow')),
      slowBody ? limits.slowTotalMs : limits.totalMs,
    ).unref();
    const silence = setInterval(
      createSilenceCheck(raw.socket, () => end(createTimeoutRefusal('silent'))),
      limits.silenceMs / SILENCE_CHECKS,
    ).unref();
    const stop = (): void => {
      clearTimeout(total);
      clearInterval(silence);
    };
    raw.once('end', stop).once('close', stop);
    if (raw instanceof LimitedMessage) raw.onceFlooded(() => end(createFloodRefusal()));
    // An answer before the body's end is a refusal: the client may read it while it sends on, but not for an hour.
    reply.raw.once('finish', () => {
      if (raw.complete) return;
      const linger = setTimeout(() => raw.complete || raw.destroy(), LINGER_MS).unref();
      // Else each refusal would keep its request for that time.
      raw.once('close', () => clearTimeout(linger));
    });
  });
}

/** How long a refused body is received and dropped: a connection that is reset at once takes the answer with it. */
const LINGER_MS = 30_000;

/** How often within the time of silence the socket is looked at. */
const SILENCE_CHECKS = 12;

/** Returns a check that calls `onSilent` when the socket has received nothing for as many calls as make the time of silence. */
export function createSilenceCheck(socket: { bytesRead: number }, onSilent: () => void): () => void {
  let received = socket.bytesRead;
  let silentChecks = 0;
  return () => {
    silentChecks = socket.bytesRead === received ? silentChecks + 1 : 0;
    received = socket.bytesRead;
    if (silentChecks >= SILENCE_CHECKS) onSilent();
  };
}

export const hasBody = (headers: {
  'content-length'?: string | undefined;
  'transfer-encoding'?: string | undefined;
}): boolean => headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const createFloodRefusal = (): Refusal =>
  new Refusal(413, 'body_too_large', {
    detail:
      'The body comes in too many pieces of a few bytes; nothing of it was kept. Send it in larger ones.',
  });

const createTimeoutRefusal = (why: 'too_slow' | 'silent'): Refusal =>
  new Refusal(408, 'request_timeout', {
    detail:
      why === 'silent'
        ? 'Nothing of the request arrived for a minute; nothing of it was kept. Send it again.'
        : 'The request took too long to arrive; nothing of it was kept. Send it again in smaller parts.',
  });
