import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { z } from 'zod';
import type { EndpointDefinition } from '../../../../contract/endpoint.ts';
import type { Target } from '../../../kit/http/call.ts';
import type { ConsoleRequest } from './console-call.ts';
import { useConsole } from './use-console.ts';

export interface DataOptions {
  /** How often it is asked anew while the tab is seen; a minute after a failure. */
  pollMs?: number;
  /** What was shown stays until the answer to changed arguments is there. */
  keepPrevious?: boolean;
  enabled?: boolean;
}

const FAILED_POLL_MS = 60_000;

/** Names a request in the cache: `queryClient.invalidateQueries({ queryKey: [target] })` is all requests of an endpoint. */
export const buildQueryKey = (target: string, request: object = {}): readonly unknown[] => [target, request];

/**
 * Loads the answer of an endpoint, from the cache first:
 * `useData<typeof getOrganization>('GET /v1/organizations/{orgId}')`. `<States query={…}>` shows what comes of it.
 */
export function useData<E extends EndpointDefinition>(
  target: Target<E>,
  request: ConsoleRequest<E> = {},
  { pollMs, keepPrevious = false, enabled = true }: DataOptions = {},
): UseQueryResult<z.infer<E['response']>> {
  const { call } = useConsole();
  return useQuery<z.infer<E['response']>>({
    queryKey: buildQueryKey(target, request),
    queryFn: () => call<E>(target, request),
    enabled,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...(pollMs !== undefined && {
      refetchInterval: ({ state }) => (state.status === 'error' ? FAILED_POLL_MS : pollMs),
    }),
  });
}

/**
 * Returns the function that asks anew for what an endpoint answered, on every page that shows it:
 * `await refresh('GET /v1/organizations/{orgId}/api-keys')` after a key was created.
 */
export function useRefresh(): (...targets: readonly string[]) => Promise<void> {
  const client = useQueryClient();
  const ask = async (target: string): Promise<void> => {
    // A first answer that is still awaited may be from before the change, and would be taken for the one asked for here.
    await client.cancelQueries({ queryKey: [target] });
    await client.invalidateQueries({ queryKey: [target] });
  };
  return async (...targets) => void (await Promise.all(targets.map(ask)));
}
