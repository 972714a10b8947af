import { Notice } from '../../../look/notice.tsx';
import { Asker } from '../request/asker.tsx';
import { LooksLike } from '../request/looks-like.tsx';
import { Section } from '../section.tsx';
import { dayOf } from '../words/day.ts';
import { useLanguage } from '../words/language.tsx';
import type { About } from './about.ts';

export function Who({ interaction: { client } }: About) {
  const { words, language } = useLanguage();
  const { asker, review } = words;
  return (
    <Section icon="app" title={review.who.title}>
      <Asker client={client} />
      <LooksLike client={client} />
      <p>{asker.answersTo(client.redirectHost)}</p>
      {client.registeredAt !== null && <p>{review.who.registered(dayOf(client.registeredAt, language))}</p>}
      {client.onThisDevice && <Notice kind="warning">{asker.onThisDevice}</Notice>}
    </Section>
  );
}
