import { Signing } from '../account/signing.tsx';
import type { Address } from '../address.ts';
import type { Interaction } from '../api/api.ts';
import { useWords } from '../words/language.tsx';
import { Asker } from './asker.tsx';
import { clientName } from './client-name.ts';
import { LooksLike } from './looks-like.tsx';
import { Refuse } from './refuse.tsx';
import type { Decide } from './decide.ts';

interface SignInFirstProps {
  requestId: string;
  address: Address;
  interaction: Interaction;
  decide: Decide;
  load: () => Promise<void>;
}

export function SignInFirst({ requestId, address, interaction, decide, load }: SignInFirstProps) {
  const words = useWords();
  const client = clientName(interaction.client, words);
  return (
    <Signing
      address={address}
      continueWith={requestId}
      above={
        <>
          <Asker client={interaction.client} />
          <LooksLike client={interaction.client} />
        </>
      }
      lead={`${words.asker.asks(client)} ${words.asker.signInFirst}`}
      below={<Refuse client={client} decide={decide} />}
      onSignedIn={load}
    />
  );
}
