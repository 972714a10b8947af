import { Section } from '../../../patient/section.tsx';
import { useWords } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
import { formatRequester } from './review-subject.ts';

export function OfflineAccessSection({ interaction, choices }: ReviewProps) {
  const words = useWords();
  const { away } = words.review;
  const { offlineAccess } = interaction;
  const name = formatRequester(interaction, words);
  const once = choices.duration === 'once';
  return (
    <Section icon="away" title={offlineAccess && !once ? away.title : away.not}>
      {offlineAccess && <p>{once ? away.once(name) : away.text(name)}</p>}
      {(!offlineAccess || once) && <p>{away.notText(name)}</p>}
    </Section>
  );
}
