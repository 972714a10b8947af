import { Notice } from '../../../kit/notice.tsx';
import { LookalikeWarning, Requester } from '../../../patient/requester.tsx';
import { Section } from '../../../patient/section.tsx';
import { formatDay } from '../../../kit/format-date.ts';
import { useLanguage } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';

export function RequesterSection({ interaction: { client } }: ReviewProps) {
  const { words, language } = useLanguage();
  const { requester, review } = words;
  return (
    <Section icon="app" title={review.who.title}>
      <Requester client={client} />
      <LookalikeWarning client={client} />
      <p>{requester.answersTo(client.redirectHost)}</p>
      {client.registeredAt !== null && (
        <p>{review.who.registered(formatDay(client.registeredAt, language))}</p>
      )}
      {client.onThisDevice && <Notice kind="warning">{requester.onThisDevice}</Notice>}
    </Section>
  );
}
