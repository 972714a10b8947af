import { Emblem } from '../../../look/emblem.tsx';
import { useEffect } from 'react';
import type { Interaction } from '../api/api.ts';
import { usePage } from '../page.ts';
import { Screen } from '../screen.tsx';
import { useWords } from '../words/language.tsx';
import { clientName } from './client-name.ts';

/** The service sends the browser on from there; neither code nor state pass through this page. */
export function Leaving({ requestId, interaction }: { requestId: string; interaction: Interaction }) {
  const { root } = usePage();
  const words = useWords();
  const onwards = `${root}/oauth/complete/${encodeURIComponent(requestId)}`;
  // In the place of this page, so that the back button does not lead to a request that is over.
  useEffect(() => location.replace(onwards), [onwards]);
  const client = clientName(interaction.client, words);
  return (
    <Screen
      name="leaving"
      above={<Emblem icon="running" />}
      title={words.leaving.title(client)}
      lead={words.leaving.text}
    >
      <a className="button button-plain" href={onwards}>
        {words.leaving.link(client)}
      </a>
    </Screen>
  );
}
