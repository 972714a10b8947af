import { Emblem } from '../../../kit/emblem.tsx';
import { useEffect } from 'react';
import type { Interaction } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useWords } from '../words/use-words.ts';
import { formatClientName } from '../../../patient/client-name.ts';

/** The service sends the browser on from there; neither code nor state pass through this page. */
export function ReturnToClient({ requestId, interaction }: { requestId: string; interaction: Interaction }) {
  const { baseUrl } = useAppDeps();
  const words = useWords();
  const completeUrl = `${baseUrl}/oauth/complete/${encodeURIComponent(requestId)}`;
  // In the place of this page, so that the back button does not lead to a request that is over.
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
