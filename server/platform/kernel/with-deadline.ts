import { LoggableError } from './log-message.ts';

/** Rejects when the work takes longer; the work goes on unobserved. */
export async function withDeadline<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new LoggableError('no answer in time')), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
