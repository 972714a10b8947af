import { useState } from 'react';
import type { StepNavigation } from '../../../kit/navigation.ts';
import type { Step } from '../../../patient/step.ts';
import type { Interaction } from '../api.ts';
import { useMailLanguage } from '../../../patient/account/use-mail-language.ts';
import { toFailure } from '../../../patient/failure.ts';
import { Loading } from '../../../patient/loading.tsx';
import { LostAction, type Loss } from '../../../patient/lost-action.tsx';
import { useSpeaker } from '../../../patient/brand.tsx';
import { ErrorScreen } from '../../../patient/error-screen.tsx';
import type { Person } from '../../../patient/account-api.ts';
import { getPersonKey } from '../../../patient/same-person.ts';
import { useRequestDraft } from '../draft/use-draft-port.ts';
import { useDraft } from '../draft/use-draft.ts';
import { useIdentity } from './use-identity.ts';
import { Review } from '../review/review.tsx';
import { ShortReview } from '../review/short-review.tsx';
import { Closed } from './closed.tsx';
import { DecidedBefore } from './decided-before.tsx';
import { type Decide, useDecide } from './use-decide.ts';
import { ReturnToClient } from './return-to-client.tsx';
import { NotLetIn } from './not-let-in.tsx';
import { NotEligible } from './not-eligible.tsx';
import { GoOnWithout } from './go-on-without.tsx';
import { listLateSources, Processing } from './processing.tsx';
import { SignInFirst } from './sign-in-first.tsx';
import { useInteraction } from './use-interaction.ts';
import { ConfirmIdentity } from './confirm-identity.tsx';

interface AuthorizationRequestProps {
  requestId: string;
  navigation: StepNavigation<Step>;
}

/** An authorization request, from the client's name to the return to it. */
export function AuthorizationRequest({ requestId, navigation }: AuthorizationRequestProps) {
  const { query, load, refresh, settle } = useInteraction(requestId);
  const [lost, setLost] = useState<Loss | null>(null);
  const decide = useDecide(requestId, { load, settle, query, onNotDone: setLost });
  useMailLanguage(query.state === 'loaded' ? query.data.person : null);
  useSpeaker(query.state === 'loaded' ? query.data.organization : null);

  if (query.state === 'loading') return <Loading />;
  if (query.state === 'error')
    return <ErrorScreen failure={toFailure(query.refusal)} onRetry={() => void load()} />;
  const interaction = query.data;
  if (lost?.reason === 'decided-before' && interaction.status !== 'pending')
    return <DecidedBefore interaction={interaction} onGoOn={() => setLost(null)} />;
  switch (interaction.status) {
    case 'pending':
      return <PendingRequest {...{ requestId, navigation, interaction, decide, load, refresh, lost }} />;
    case 'processing':
      return <Processing interaction={interaction} refresh={refresh} />;
    case 'ready':
      return <ReadyRequest requestId={requestId} interaction={interaction} />;
    case 'denied':
      return <ReturnToClient requestId={requestId} interaction={interaction} />;
    case 'closed':
      return <Closed />;
  }
}

/** Names the sources that do not answer before it leads to the client: there, nobody would learn what is missing. */
function ReadyRequest({ requestId, interaction }: { requestId: string; interaction: Interaction }) {
  const [isAcknowledged, setIsAcknowledged] = useState(false);
  const late = listLateSources(interaction);
  return late.length > 0 && !isAcknowledged ? (
    <GoOnWithout names={late} onGoOn={() => setIsAcknowledged(true)} />
  ) : (
    <ReturnToClient requestId={requestId} interaction={interaction} />
  );
}

interface PendingRequestProps extends AuthorizationRequestProps {
  interaction: Interaction;
  decide: Decide;
  load: () => Promise<void>;
  refresh: () => Promise<boolean>;
  /** Why the last decision was not made. */
  lost: Loss | null;
}

/** The screens before the decision: sign-in, identity, review. */
function PendingRequest(props: PendingRequestProps) {
  const { interaction, decide, load } = props;
  const { person, eligible, client } = interaction;
  if (!client.letIn) return <NotLetIn interaction={interaction} decide={decide} />;
  if (person === null) return <SignInFirst {...props} />;
  if (!eligible) return <NotEligible person={person} interaction={interaction} onSignedOut={load} />;
  return (
    <>
      <LostAction lost={props.lost} person={person} />
      <RequestReview key={getPersonKey(person)} {...props} person={person} />
    </>
  );
}

/** What one person goes through: going back or changing the language loses no choice. */
function RequestReview({
  requestId,
  navigation,
  interaction,
  decide,
  load,
  refresh,
  person,
}: PendingRequestProps & { person: Person }) {
  const port = useRequestDraft(requestId);
  const draft = useDraft({ port, held: interaction.draft, subject: interaction, person, navigation });
  const [wasShort] = useState(interaction.shortForm);
  const [isAllRead, setIsAllRead] = useState(false);
  const evidenceOwner = `${requestId} ${getPersonKey(person)}`;
  const identity = useIdentity({ draft, person, evidenceOwner, navigation, refresh });
  if (identity.isAsked)
    return <ConfirmIdentity {...identity} {...{ person, evidenceOwner, port }} onSignedOut={load} />;
  const { confirmAgain } = identity;
  const reviewProps = { interaction, person, decide, draft, evidenceOwner, confirmAgain };
  return interaction.shortForm && draft.isPreset && !isAllRead ? (
    <ShortReview {...reviewProps} onReadAll={() => setIsAllRead(true)} />
  ) : (
    <Review {...reviewProps} hasChanged={wasShort && !interaction.shortForm} />
  );
}
