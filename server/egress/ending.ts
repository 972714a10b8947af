import { EgressFailed, failureOf } from './egress-error.ts';
import type { EgressRequest } from './request.ts';

/**
 * `work` under a signal that is aborted at the request's deadline, or when its own signal is. It must settle then; an
 * error is the abort's reason from there on.
 */
export async function ending<T>(
  { timeoutMs, signal }: Pick<EgressRequest, 'timeoutMs' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new EgressFailed('deadline')), timeoutMs);
  const end = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', end);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : failureOf(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** What cannot be aborted, such as getaddrinfo, is not waited for. */
export async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', end);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
