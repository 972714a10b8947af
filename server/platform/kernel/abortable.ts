/**
 * Settles as the promise does, or rejects with the signal's reason when the signal is aborted first: for work that
 * cannot be aborted itself, such as getaddrinfo, and goes on unobserved.
 */
export async function abortable<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
