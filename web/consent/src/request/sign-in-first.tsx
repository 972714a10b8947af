import { SignInFlow } from '../account/signing.tsx';
import type { Navigation } from '../address.ts';
import type { Interaction } from '../api/api.ts';
import { useWords } from '../words/language.tsx';
import { Requester } from './asker.tsx';
import { formatClientName } from './client-name.ts';
import { LookalikeWarning } from './looks-like.tsx';
import { DenyButton } from './refuse.tsx';
import type { Decide } from './decide.ts';

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
