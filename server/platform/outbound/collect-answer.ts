import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import {
  OutboundFailedError,
  type FailureReason,
  type OutboundRequest,
  type OutboundResponse,
} from './request.ts';

/** How long a body may take when the status counts without it. */
const BODY_TIMEOUT_MS = 1000;

/** Interim answers (RFC 9110 §15.2) before the answer. */
const MAX_INTERIM_ANSWERS = 20;

/**
 * A piece of the body costs as much as some thousand bytes of it, and all that have arrived are handed over at one go: a server
 * that sends pieces of one byte held up everybody's calls for ten seconds. Beyond so many they have to have so many bytes each.
 */
const FREE_PIECES = 10_000;
const MIN_PIECE_BYTES = 16;

export interface AnswerHandler extends Dispatcher.DispatchHandler {
  /** Rejects or, where the status counts by now, resolves with what there is. */
  stop(reason: unknown): void;
  bodyTimer: NodeJS.Timeout | undefined;
}

interface Outcome {
  /** An answer has begun, be it an interim one. */
  onStarted(): void;
  resolve(response: OutboundResponse): void;
  reject(reason: unknown): void;
}

/** Creates what collects the answer to a request; it settles once, and nothing that arrives later costs anything. */
export function createAnswerHandler(
  { maxBytes, overflow }: OutboundRequest,
  { onStarted, ...outcome }: Outcome,
): AnswerHandler {
  const canTruncate = overflow === 'cut';
  const body = createByteCollector(maxBytes);
  let response: Omit<OutboundResponse, 'body'> | null = null;
  let interimAnswers = 0;
  const settled = settleOnce(outcome);
  const resolve = (more: Partial<OutboundResponse> = {}): void => {
    const known = response;
    if (known) settled.resolve(() => ({ ...known, body: body.getBytes(), ...more }));
  };
  const stop = (reason: unknown): void => {
    if (canTruncate && response) resolve({ truncated: true });
    else settled.reject(reason);
  };
  /** Also ends the connection, whose parser would go on with what has arrived. */
  const end = (controller: Dispatcher.DispatchController, reason: FailureReason): void => {
    const error = new OutboundFailedError(reason);
    stop(error);
    controller.abort(error);
  };
  const handler: AnswerHandler = {
    bodyTimer: undefined,
    stop,
    // undici requires it.
    onRequestStart() {},
    onResponseStarted: onStarted,
    onResponseStart(controller, status, headers) {
      if (status < 200) {
        if (++interimAnswers > MAX_INTERIM_ANSWERS) end(controller, 'malformed_answer');
        return;
      }
      response = { status, headers: joinRepeated(headers) };
      if (canTruncate) handler.bodyTimer = setTimeout(stop, BODY_TIMEOUT_MS);
      else if (Number(headers['content-length'] ?? 0) > maxBytes) end(controller, 'answer_too_large');
    },
    onResponseData(controller, chunk) {
      if (settled.isSettled()) return;
      const fault = findFault(body.add(chunk), maxBytes);
      if (fault !== null) end(controller, fault);
    },
    onResponseEnd: () => resolve(),
    onResponseError: (_controller, error) => stop(error),
  };
  return handler;
}

/** Passes on the first outcome alone, and makes no other answer. */
function settleOnce({ resolve, reject }: Pick<Outcome, 'resolve' | 'reject'>) {
  let isSettled = false;
  const once = (work: () => void): void => {
    if (isSettled) return;
    isSettled = true;
    work();
  };
  return {
    isSettled: () => isSettled,
    resolve: (build: () => OutboundResponse): void => once(() => resolve(build())),
    reject: (reason: unknown): void => once(() => reject(reason)),
  };
}

function findFault(
  { pieces, length }: ReturnType<ByteCollector['add']>,
  maxBytes: number,
): FailureReason | null {
  if (length > maxBytes) return 'answer_too_large';
  return pieces > FREE_PIECES && length < pieces * MIN_PIECE_BYTES ? 'malformed_answer' : null;
}

interface ByteCollector {
  /** Keeps of a piece what fits within the limit; returns how many there were and how long they are together. */
  add(piece: Buffer): { pieces: number; length: number };
  getBytes(): Buffer;
}

/** Most answers are short: what is larger than Node's pool is garbage that the collector of garbage is called for. */
const MIN_CAPACITY = 1024;

/** Copies pieces together as they come: a list of millions of small ones would take a hundred times their bytes. */
function createByteCollector(maxBytes: number): ByteCollector {
  let bytes = Buffer.alloc(0);
  let pieces = 0;
  let length = 0;
  return {
    add(piece) {
      const kept = Math.min(length, maxBytes);
      const needed = Math.min(kept + piece.length, maxBytes);
      if (needed > bytes.length) {
        const larger = Buffer.allocUnsafe(
          Math.min(maxBytes, Math.max(needed, 2 * bytes.length, MIN_CAPACITY)),
        );
        bytes.copy(larger, 0, 0, kept);
        bytes = larger;
      }
      piece.copy(bytes, kept, 0, needed - kept);
      pieces++;
      length += piece.length;
      return { pieces, length };
    },
    getBytes: () => bytes.subarray(0, Math.min(length, maxBytes)),
  };
}

/** Joins repeated headers, cookies excepted; undici makes lists of them. */
function joinRepeated(headers: Record<string, string | string[] | undefined>): IncomingHttpHeaders {
  for (const [name, value] of Object.entries(headers))
    if (Array.isArray(value) && name !== 'set-cookie') headers[name] = value.join(', ');
  return headers;
}
