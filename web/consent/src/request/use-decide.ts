import { useCallback } from 'react';
import type { Decision, Interaction } from '../api.ts';
import { type Failure, toFailure } from '../../../patient/failure.ts';
import type { Person } from '../../../patient/account-api.ts';
import { confirmPerson } from '../../../patient/same-person.ts';
import type { Loss, LossReason } from '../../../patient/lost-action.tsx';
import { useAppDeps } from '../app-deps.ts';
import { generateKey } from '../draft/generate-key.ts';
import { retryWhileLost } from '../draft/retry.ts';
import type { Query } from '../../../kit/query.ts';
import { toRefusal } from '../../../kit/http/refusal.ts';

/** The choices and the evidence, which a denial of what an app requests has not, and the key. */
interface DecisionDetails extends Omit<Decision, 'decision' | 'interactions' | 'confirmedAs' | 'personId'> {
  /** Called with whether the connection is lost, while the decision is sent again. */
  onLost?: (isLost: boolean) => void;
}

export type Decide = (decision: 'grant' | 'deny', screen: string, details?: DecisionDetails) => Promise<void>;

type Decided<Data> = Pick<Query<Data>, 'query' | 'load' | 'settle'> & {
  /** Called when the decision was not made because nobody, or somebody else, is signed in. */
  onNotDone: (lost: Loss | null) => void;
};

/** Sends the decision on what an app requests. */
export function useDecide(requestId: string, decided: Decided<Interaction>): Decide {
  const { api } = useAppDeps();
  const send = useCallback(
    async (interaction: Interaction, body: Decision): Promise<Interaction> => {
      const { status } = await api.decideInteraction(requestId, body);
      return { ...interaction, status };
    },
    [api, requestId],
  );
  return useSendDecision(decided, send);
}

/**
 * Sends the decision with the interaction log; a failure that another try cannot mend becomes the screen. `send` returns what the
 * page shows then.
 */
export function useSendDecision<Data extends { person: Person | null }>(
  { query, load, settle, onNotDone }: Decided<Data>,
  send: (data: Data, body: Decision) => Promise<Data>,
): Decide {
  const { interactionLog } = useAppDeps();
  return useCallback(
    async (decision, screen, { onLost = () => undefined, ...details } = {}) => {
      if (query.state !== 'loaded') return;
      interactionLog.add(screen, decision === 'grant' ? 'allow' : 'do-not-allow');
      try {
        const { person } = query.data;
        const body: Decision = {
          decisionKey: generateKey(),
          ...details,
          decision,
          interactions: interactionLog.entries(),
          // The review is shown only to the person who confirmed their identity.
          ...(person && confirmPerson(person)),
        };
        const data = await retryWhileLost(() => send(query.data, body), onLost);
        onNotDone(null);
        settle({ state: 'loaded', data });
      } catch (error) {
        const refusal = toRefusal(error);
        const failure = toFailure(refusal);
        if (LOGGED_FAILURES.has(failure.kind)) interactionLog.add(screen, failure.kind);
        // The service knows who decided, who is signed in, and what the project's content is now.
        const reason = LOSS_REASONS.get(failure.kind);
        if (reason) onNotDone({ reason, person: query.data.person });
        if (RELOADED_FAILURES.has(failure.kind)) await load();
        else if (!INLINE_FAILURES.has(failure.kind)) settle({ state: 'error', refusal });
        if (INLINE_FAILURES.has(failure.kind)) throw error;
      }
    },
    [query, interactionLog, load, onNotDone, send, settle],
  );
}

type FailureKinds = ReadonlySet<Failure['kind']>;

const LOGGED_FAILURES: FailureKinds = new Set([
  'decided',
  'person-changed',
  'content-changed',
  'consent-changed',
  'choices-changed',
  'full-review',
]);

const LOSS_REASONS: ReadonlyMap<Failure['kind'], LossReason> = new Map([
  ['signed-out', 'signed-out'],
  ['person-changed', 'other-person'],
  ['decided', 'decided-before'],
]);

const RELOADED_FAILURES: FailureKinds = new Set([
  'decided',
  'signed-out',
  'not-eligible',
  'person-changed',
  'content-changed',
  'consent-changed',
  'choices-changed',
  'full-review',
]);

/** Another try, or reading again, resolves most of these; what was chosen stays. */
const INLINE_FAILURES: FailureKinds = new Set([
  'unreachable',
  'throttled',
  'invalid',
  'too-large',
  'not-pictured',
  'content-changed',
  'consent-changed',
  'choices-changed',
  'full-review',
]);
