import { useCallback } from 'react';
import type { Decision } from '../api/api.ts';
import { type Failure, toFailure } from '../api/refusal.ts';
import { useAppDeps } from '../app-deps.ts';
import type { useInteraction } from './use-interaction.ts';

/** What was chosen and what was seen; none of it comes with a no. */
type DecisionDetails = Omit<Decision, 'decision' | 'interactions' | 'confirmedAs'>;

export type Decide = (decision: 'grant' | 'deny', screen: string, details?: DecisionDetails) => Promise<void>;

type DecideDeps = Pick<ReturnType<typeof useInteraction>, 'query' | 'load' | 'settle'>;

/** Sends the decision with the journal; what cannot be mended by trying again becomes the screen. */
export function useDecide(requestId: string, { query, load, settle }: DecideDeps): Decide {
  const { api, interactionLog } = useAppDeps();
  return useCallback(
    async (decision, screen, details = {}) => {
      if (query.state !== 'known') return;
      interactionLog.add(screen, decision === 'grant' ? 'allow' : 'do-not-allow');
      try {
        const { person } = query.interaction;
        const { status } = await api.decideInteraction(requestId, {
          ...details,
          decision,
          interactions: interactionLog.entries(),
          // On the review, that is who said "this is me": it is shown to nobody else.
          ...(person && { confirmedAs: person.email }),
        });
        settle({ state: 'known', interaction: { ...query.interaction, status } });
      } catch (error) {
        const failure = toFailure(error);
        if (LOGGED_FAILURES.has(failure.kind)) interactionLog.add(screen, failure.kind);
        // Whoever decided, whoever is signed in and whatever is told now: the service knows.
        if (RELOADED_FAILURES.has(failure.kind)) await load();
        else if (!INLINE_FAILURES.has(failure.kind)) settle({ state: 'troubled', failure });
        if (INLINE_FAILURES.has(failure.kind)) throw error;
      }
    },
    [api, query, interactionLog, load, requestId, settle],
  );
}

type FailureKinds = ReadonlySet<Failure['kind']>;

const LOGGED_FAILURES: FailureKinds = new Set(['person-changed', 'content-changed']);

const RELOADED_FAILURES: FailureKinds = new Set([
  'decided',
  'signed-out',
  'not-eligible',
  'person-changed',
  'content-changed',
]);

/** Trying again, or reading again, mends most of these; none of them takes away what was chosen. */
const INLINE_FAILURES: FailureKinds = new Set([
  'unreachable',
  'throttled',
  'invalid',
  'too-large',
  'not-pictured',
  'content-changed',
]);
