import { Refusal } from '../../../kit/http/refusal.ts';

/** How long to wait before the next try, in milliseconds; then the person is asked. */
const DELAYS_MS = [1000, 2000, 4000];

/**
 * Tries again while the connection is lost: as soon as it is back where the browser knows that there is none, else a few
 * times. Calls `onLost` with whether it waits. Whatever is sent must be safe to send twice.
 */
export async function retryWhileLost<T>(
  work: () => Promise<T>,
  onLost: (isLost: boolean) => void,
): Promise<T> {
  for (let tries = 0; ;) {
    try {
      return await work();
    } catch (error) {
      const isLost = error instanceof Refusal && error.code === 'unreachable';
      const delay = DELAYS_MS[tries];
      if (!isLost || (navigator.onLine && delay === undefined)) throw error;
      onLost(true);
      if (navigator.onLine) tries += 1;
      await (navigator.onLine ? wait(delay ?? 0) : waitUntilOnline());
    } finally {
      onLost(false);
    }
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const waitUntilOnline = (): Promise<void> =>
  new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }));
