import { QueryClient } from '@tanstack/react-query';
import { isTransient, Refusal } from '../../../kit/http/refusal.ts';

/** What is asked again by itself, once: a service that is busy, or a line that broke. */
const mayRetry = (failures: number, error: unknown): boolean =>
  failures < 1 && error instanceof Refusal && isTransient(error);

/** Creates the cache of requests: what is known is shown at once, and asked anew when a page opens or a tab is seen again. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // Without a line a request fails as any other, in words, instead of waiting silently.
      queries: { retry: mayRetry, retryDelay: 1000, networkMode: 'always', staleTime: 2000 },
    },
  });
