import { useCallback } from 'react';
import type { Address } from '../address.ts';
import type { Interaction } from '../api/api.ts';
import { type Trouble, troubleOf } from '../api/refusal.ts';
import { usePage } from '../page.ts';
import { Loading } from '../screens/loading.tsx';
import { TroubleScreen } from '../screens/trouble.tsx';
import { Review } from '../review/review.tsx';
import { Closed } from './closed.tsx';
import { Leaving } from './leaving.tsx';
import { NotEligible } from './not-eligible.tsx';
import { Processing } from './processing.tsx';
import { SignInFirst } from './sign-in-first.tsx';
import { useInteraction } from './use-interaction.ts';
import { WhoIsThis } from './who-is-this.tsx';

export type Decide = (decision: 'grant' | 'deny', screen: string) => Promise<void>;

interface RequestProps {
  requestId: string;
  address: Address;
}

/** An authorization request, from who asks to the way back. */
export function Request({ requestId, address }: RequestProps) {
  const { asked, load, refresh, settle } = useInteraction(requestId);
  const decide = useDecide(requestId, { load, settle, asked });

  if (asked.state === 'loading') return <Loading />;
  if (asked.state === 'troubled')
    return <TroubleScreen trouble={asked.trouble} onRetry={() => void load()} />;
  const { interaction } = asked;
  switch (interaction.status) {
    case 'pending':
      return <Pending {...{ requestId, address, interaction, decide, load }} />;
    case 'processing':
      return <Processing interaction={interaction} refresh={refresh} />;
    case 'ready':
    case 'denied':
      return <Leaving requestId={requestId} interaction={interaction} />;
    case 'closed':
      return <Closed />;
  }
}

interface PendingProps extends RequestProps {
  interaction: Interaction;
  decide: Decide;
  load: () => Promise<void>;
}

/** Before the decision: who are you, and what do you say? */
function Pending({ requestId, address, interaction, decide, load }: PendingProps) {
  const { person, eligible } = interaction;
  const { step, go } = address;
  if (person === null) return <SignInFirst {...{ requestId, address, interaction, decide, load }} />;
  if (!eligible) return <NotEligible person={person} interaction={interaction} onSignedOut={load} />;
  if (step?.at === 'confirmed' && step.email === person.email) {
    return <Review interaction={interaction} person={person} decide={decide} />;
  }
  return <WhoIsThis person={person} go={go} onSignedOut={load} />;
}

type Asking = Pick<ReturnType<typeof useInteraction>, 'asked' | 'load' | 'settle'>;

/** Sends the decision with the journal; what cannot be mended by trying again becomes the screen. */
function useDecide(requestId: string, { asked, load, settle }: Asking): Decide {
  const { api, journal } = usePage();
  return useCallback(
    async (decision, screen) => {
      if (asked.state !== 'known') return;
      journal.note(screen, decision === 'grant' ? 'allow' : 'do-not-allow');
      try {
        const { person } = asked.interaction;
        const { status } = await api.decide(requestId, {
          decision,
          interactions: journal.entries(),
          // On the review, that is who said "this is me": it is shown to nobody else.
          ...(person && { confirmedAs: person.email }),
        });
        settle({ state: 'known', interaction: { ...asked.interaction, status } });
      } catch (error) {
        const trouble = troubleOf(error);
        if (['unreachable', 'throttled', 'invalid'].includes(trouble.kind)) throw error;
        if (trouble.kind === 'person-changed') journal.note(screen, trouble.kind);
        // Whoever decided, or whoever is signed in now: the service knows.
        if (ASKED_ANEW.has(trouble.kind)) await load();
        else settle({ state: 'troubled', trouble });
      }
    },
    [api, asked, journal, load, requestId, settle],
  );
}

const ASKED_ANEW: ReadonlySet<Trouble['kind']> = new Set([
  'decided',
  'signed-out',
  'not-eligible',
  'person-changed',
]);
