import type { Navigation } from '../navigation.ts';
import type { Interaction } from '../api/api.ts';
import { Loading } from '../screens/loading.tsx';
import { ErrorScreen } from '../screens/error-screen.tsx';
import { useChoices } from '../review/choices.ts';
import { Review } from '../review/review.tsx';
import { Closed } from './closed.tsx';
import { type Decide, useDecide } from './use-decide.ts';
import { ReturnToClient } from './return-to-client.tsx';
import { NotEligible } from './not-eligible.tsx';
import { Processing } from './processing.tsx';
import { SignInFirst } from './sign-in-first.tsx';
import { useInteraction } from './use-interaction.ts';
import { ConfirmIdentity } from './confirm-identity.tsx';

interface AuthorizationRequestProps {
  requestId: string;
  navigation: Navigation;
}

/** An authorization request, from who asks to the way back. */
export function AuthorizationRequest({ requestId, navigation }: AuthorizationRequestProps) {
  const { query, load, refresh, settle } = useInteraction(requestId);
  const decide = useDecide(requestId, { load, settle, query });
  const choiceStore = useChoices();

  if (query.state === 'loading') return <Loading />;
  if (query.state === 'troubled') return <ErrorScreen failure={query.failure} onRetry={() => void load()} />;
  const { interaction } = query;
  switch (interaction.status) {
    case 'pending':
      return <PendingRequest {...{ requestId, navigation, interaction, decide, load, choiceStore }} />;
    case 'processing':
      return <Processing interaction={interaction} refresh={refresh} />;
    case 'ready':
    case 'denied':
      return <ReturnToClient requestId={requestId} interaction={interaction} />;
    case 'closed':
      return <Closed />;
  }
}

interface PendingRequestProps extends AuthorizationRequestProps {
  interaction: Interaction;
  decide: Decide;
  load: () => Promise<void>;
  choiceStore: ReturnType<typeof useChoices>;
}

/** Before the decision: who are you, and what do you say? */
function PendingRequest({
  requestId,
  navigation,
  interaction,
  decide,
  load,
  choiceStore,
}: PendingRequestProps) {
  const { person, eligible } = interaction;
  const { step, go } = navigation;
  if (person === null) return <SignInFirst {...{ requestId, navigation, interaction, decide, load }} />;
  const evidenceOwner = `${requestId} ${person.email}`;
  if (!eligible) return <NotEligible person={person} interaction={interaction} onSignedOut={load} />;
  if (step?.at === 'confirmed' && step.email === person.email) {
    return (
      <Review
        {...{ interaction, person, decide, evidenceOwner }}
        choices={choiceStore.getChoices(person.email, interaction)}
        updateChoices={(some) => choiceStore.updateChoices(person.email, some)}
      />
    );
  }
  return <ConfirmIdentity {...{ person, go, evidenceOwner }} onSignedOut={load} />;
}
