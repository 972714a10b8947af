import type { Address } from '../address.ts';
import type { Interaction } from '../api/api.ts';
import { Loading } from '../screens/loading.tsx';
import { TroubleScreen } from '../screens/trouble.tsx';
import { useChoices } from '../review/choices.ts';
import { Review } from '../review/review.tsx';
import { Closed } from './closed.tsx';
import { type Decide, useDecide } from './decide.ts';
import { Leaving } from './leaving.tsx';
import { NotEligible } from './not-eligible.tsx';
import { Processing } from './processing.tsx';
import { SignInFirst } from './sign-in-first.tsx';
import { useInteraction } from './use-interaction.ts';
import { WhoIsThis } from './who-is-this.tsx';

interface RequestProps {
  requestId: string;
  address: Address;
}

/** An authorization request, from who asks to the way back. */
export function Request({ requestId, address }: RequestProps) {
  const { asked, load, refresh, settle } = useInteraction(requestId);
  const decide = useDecide(requestId, { load, settle, asked });
  const choosing = useChoices();

  if (asked.state === 'loading') return <Loading />;
  if (asked.state === 'troubled')
    return <TroubleScreen trouble={asked.trouble} onRetry={() => void load()} />;
  const { interaction } = asked;
  switch (interaction.status) {
    case 'pending':
      return <Pending {...{ requestId, address, interaction, decide, load, choosing }} />;
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
  choosing: ReturnType<typeof useChoices>;
}

/** Before the decision: who are you, and what do you say? */
function Pending({ requestId, address, interaction, decide, load, choosing }: PendingProps) {
  const { person, eligible } = interaction;
  const { step, go } = address;
  if (person === null) return <SignInFirst {...{ requestId, address, interaction, decide, load }} />;
  const evidenceOf = `${requestId} ${person.email}`;
  if (!eligible) return <NotEligible person={person} interaction={interaction} onSignedOut={load} />;
  if (step?.at === 'confirmed' && step.email === person.email) {
    return (
      <Review
        {...{ interaction, person, decide, evidenceOf }}
        choices={choosing.choicesOf(person.email, interaction)}
        choose={(some) => choosing.choose(person.email, some)}
      />
    );
  }
  return <WhoIsThis {...{ person, go, evidenceOf }} onSignedOut={load} />;
}
