import { SignInFlow } from '../../../patient/account/sign-in-flow.tsx';
import type { StepNavigation } from '../../../kit/navigation.ts';
import type { Step } from '../../../patient/step.ts';
import type { Interaction } from '../api.ts';
import { useWords } from '../words/use-words.ts';
import { LostAction, type Loss } from '../../../patient/lost-action.tsx';
import { LookalikeWarning, Requester } from '../../../patient/requester.tsx';
import { formatClientName } from '../../../patient/client-name.ts';
import { DenyButton } from './deny-button.tsx';
import type { Decide } from './use-decide.ts';

interface SignInFirstProps {
  requestId: string;
  navigation: StepNavigation<Step>;
  interaction: Interaction;
  decide: Decide;
  load: () => Promise<void>;
  lost: Loss | null;
}

export function SignInFirst(props: SignInFirstProps) {
  const { requestId, navigation, interaction, decide, load, lost } = props;
  const words = useWords();
  const client = formatClientName(interaction.client, words);
  return (
    <SignInFlow
      navigation={navigation}
      continueWith={requestId}
      projectId={interaction.project.id}
      above={
        <>
          <LostAction lost={lost} />
          <Requester client={interaction.client} />
          <LookalikeWarning client={interaction.client} />
        </>
      }
      lead={`${words.requester.asks(client, interaction.organization.name)} ${words.requester.signInFirst}`}
      below={<DenyButton label={words.requester.deny(client)} screen="sign-in" decide={decide} />}
      onSignedIn={load}
    />
  );
}
