import { SignInFlow } from '../account/sign-in-flow.tsx';
import type { Navigation } from '../navigation.ts';
import type { Interaction } from '../api/api.ts';
import { useWords } from '../words/language.tsx';
import { Requester } from './requester.tsx';
import { formatClientName } from './client-name.ts';
import { LookalikeWarning } from './lookalike-warning.tsx';
import { DenyButton } from './deny-button.tsx';
import type { Decide } from './use-decide.ts';

interface SignInFirstProps {
  requestId: string;
  navigation: Navigation;
  interaction: Interaction;
  decide: Decide;
  load: () => Promise<void>;
}

export function SignInFirst({ requestId, navigation, interaction, decide, load }: SignInFirstProps) {
  const words = useWords();
  const client = formatClientName(interaction.client, words);
  return (
    <SignInFlow
      navigation={navigation}
      continueWith={requestId}
      above={
        <>
          <Requester client={interaction.client} />
          <LookalikeWarning client={interaction.client} />
        </>
      }
      lead={`${words.requester.asks(client)} ${words.requester.signInFirst}`}
      below={<DenyButton client={client} decide={decide} />}
      onSignedIn={load}
    />
  );
}
