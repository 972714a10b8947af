import { useCallback, useEffect, useRef, useState } from 'react';
import type { Interaction } from '../api/api.ts';
import { type Failure, toFailure } from '../api/refusal.ts';
import { useAppDeps } from '../app-deps.ts';
import { useOnReturn } from '../use-on-return.ts';

export type InteractionState =
  | { state: 'loading' }
  | { state: 'troubled'; failure: Failure }
  | { state: 'known'; interaction: Interaction };

interface InteractionQuery {
  query: InteractionState;
  /** From the service; what stops the request becomes the screen. */
  load(): Promise<void>;
  /** The same, but an unreachable service changes nothing: tells whether it answered. */
  refresh(): Promise<boolean>;
  settle(query: InteractionState): void;
}

/** All that the screens of a request know, they know from here: a reload or a second tab shows the same. */
export function useInteraction(requestId: string): InteractionQuery {
  const { api } = useAppDeps();
  const [query, setQuery] = useState<InteractionState>({ state: 'loading' });
  /** An answer that was overtaken by a newer one says nothing any more. */
  const latest = useRef(0);

  const settle = useCallback((query: InteractionState) => {
    latest.current += 1;
    setQuery(query);
  }, []);
  const fetchInteraction = useCallback(
    async (keepOnFailure: boolean): Promise<boolean> => {
      const sequence = ++latest.current;
      const answer = await api.getInteraction(requestId).then(
        (interaction): InteractionState => ({ state: 'known', interaction }),
        (error: unknown): InteractionState => ({ state: 'troubled', failure: toFailure(error) }),
      );
      const isTransient = answer.state === 'troubled' && TRANSIENT_FAILURES.has(answer.failure.kind);
      if (sequence === latest.current && !(keepOnFailure && isTransient)) setQuery(answer);
      return !isTransient;
    },
    [api, requestId],
  );
  const load = useCallback(async () => void (await fetchInteraction(false)), [fetchInteraction]);
  const refresh = useCallback(async () => fetchInteraction(true), [fetchInteraction]);

  useEffect(() => void load(), [load]);
  useOnReturn(refresh);
  return { query, load, refresh, settle };
}

const TRANSIENT_FAILURES: ReadonlySet<Failure['kind']> = new Set(['unreachable', 'throttled']);
