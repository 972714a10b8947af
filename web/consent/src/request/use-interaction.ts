import { useCallback } from 'react';
import { type Query, useQuery } from '../../../kit/query.ts';
import { useOnReturn } from '../../../kit/use-on-return.ts';
import type { Interaction } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';

/** All screens of a request show what the service holds: a reload or a second tab shows the same. */
export function useInteraction(requestId: string): Query<Interaction> {
  const { api } = useAppDeps();
  const interaction = useQuery(useCallback(() => api.getInteraction(requestId), [api, requestId]));
  useOnReturn(interaction.refresh);
  return interaction;
}
