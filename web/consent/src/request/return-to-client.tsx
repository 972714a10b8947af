import { Emblem } from '../../../kit/emblem.tsx';
import { useEffect } from 'react';
import type { Interaction } from '../api.ts';
import { useBaseUrl } from '../base-url.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useWords } from '../words/use-words.ts';
import { formatClientName } from '../../../patient/client-name.ts';

/** Leads to the service, which redirects to the client; neither code nor state pass through this page. */
export function ReturnToClient({ requestId, interaction }: { requestId: string; interaction: Interaction }) {
  const baseUrl = useBaseUrl();
  const words = useWords();
  const completeUrl = `${baseUrl}/oauth/complete/${encodeURIComponent(requestId)}`;
  // Replaces this page, so that the back button does not lead to a completed request.
  useEffect(() => location.replace(completeUrl), [completeUrl]);
  const client = formatClientName(interaction.client, words);
  return (
    <Screen
      name="leaving"
      above={<Emblem icon="running" />}
      title={words.returnToClient.title(client)}
      lead={words.returnToClient.text}
    >
      <a className="button button-plain" href={completeUrl}>
        {words.returnToClient.link(client)}
      </a>
    </Screen>
  );
}
