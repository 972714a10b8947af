import { clientName } from '../request/client-name.ts';
import { Section } from '../section.tsx';
import { useWords } from '../words/language.tsx';
import type { About } from './about.ts';

export function WhileAway({ interaction: { client, offlineAccess }, choices }: About) {
  const words = useWords();
  const { away } = words.review;
  const name = clientName(client, words);
  const once = choices.term === 'once';
  return (
    <Section icon="away" title={offlineAccess && !once ? away.title : away.not}>
      {offlineAccess && <p>{once ? away.once(name) : away.text(name)}</p>}
      {(!offlineAccess || once) && <p>{away.notText(name)}</p>}
    </Section>
  );
}
