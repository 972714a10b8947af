import { useCallback } from 'react';
import type { Decision } from '../api/api.ts';
import { type Trouble, troubleOf } from '../api/refusal.ts';
import { usePage } from '../page.ts';
import type { useInteraction } from './use-interaction.ts';

/** What was chosen and what was seen; none of it comes with a no. */
type Given = Omit<Decision, 'decision' | 'interactions' | 'confirmedAs'>;

export type Decide = (decision: 'grant' | 'deny', screen: string, given?: Given) => Promise<void>;

type Asking = Pick<ReturnType<typeof useInteraction>, 'asked' | 'load' | 'settle'>;

/** Sends the decision with the journal; what cannot be mended by trying again becomes the screen. */
export function useDecide(requestId: string, { asked, load, settle }: Asking): Decide {
  const { api, journal } = usePage();
  return useCallback(
    async (decision, screen, given = {}) => {
      if (asked.state !== 'known') return;
      journal.note(screen, decision === 'grant' ? 'allow' : 'do-not-allow');
      try {
        const { person } = asked.interaction;
        const { status } = await api.decide(requestId, {
          ...given,
          decision,
          interactions: journal.entries(),
          // On the review, that is who said "this is me": it is shown to nobody else.
          ...(person && { confirmedAs: person.email }),
        });
        settle({ state: 'known', interaction: { ...asked.interaction, status } });
      } catch (error) {
        const trouble = troubleOf(error);
        if (NOTED.has(trouble.kind)) journal.note(screen, trouble.kind);
        // Whoever decided, whoever is signed in and whatever is told now: the service knows.
        if (ASKED_ANEW.has(trouble.kind)) await load();
        else if (!SAID_IN_PLACE.has(trouble.kind)) settle({ state: 'troubled', trouble });
        if (SAID_IN_PLACE.has(trouble.kind)) throw error;
      }
    },
    [api, asked, journal, load, requestId, settle],
  );
}

type Kinds = ReadonlySet<Trouble['kind']>;

const NOTED: Kinds = new Set(['person-changed', 'content-changed']);

const ASKED_ANEW: Kinds = new Set([
  'decided',
  'signed-out',
  'not-eligible',
  'person-changed',
  'content-changed',
]);

/** Trying again, or reading again, mends most of these; none of them takes away what was chosen. */
const SAID_IN_PLACE: Kinds = new Set([
  'unreachable',
  'throttled',
  'invalid',
  'too-large',
  'not-pictured',
  'content-changed',
]);
