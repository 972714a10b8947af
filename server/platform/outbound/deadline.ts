import { OutboundFailedError, toOutboundError } from './outbound-error.ts';
import type { OutboundRequest } from './request.ts';

/**
 * `work` under a signal that is aborted at the request's deadline, or when its own signal is. It must settle then; an
 * error is the abort's reason from there on.
 */
export async function withDeadline<T>(
  { timeoutMs, signal }: Pick<OutboundRequest, 'timeoutMs' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new OutboundFailedError('deadline')), timeoutMs);
  const onAbort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : toOutboundError(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** What cannot be aborted, such as getaddrinfo, is not waited for. */
export async function abortable<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
