import { formatClientName } from '../../../patient/client-name.ts';
import { Screen } from '../../../patient/screen.tsx';
import type { Interaction } from '../api.ts';
import { useWords } from '../words/use-words.ts';
import { DenyButton } from './deny-button.tsx';
import type { Decide } from './use-decide.ts';

/** Shown where the organization has stopped the app since the request began, or lets in only apps that it knows. */
export function NotLetIn({ interaction, decide }: { interaction: Interaction; decide: Decide }) {
  const words = useWords();
  const { notLetIn } = words;
  const client = formatClientName(interaction.client, words);
  const organization = formatClientName(interaction.organization, words);
  return (
    <Screen name="not-let-in" title={notLetIn.title} lead={notLetIn.text(organization, client)}>
      <DenyButton label={notLetIn.back(client)} screen="not-let-in" decide={decide} />
    </Screen>
  );
}
