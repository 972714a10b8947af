import { Notice } from '../../../kit/notice.tsx';
import { Requester } from '../request/requester.tsx';
import { LookalikeWarning } from '../request/lookalike-warning.tsx';
import { Section } from '../section.tsx';
import { formatDay } from '../words/format-date.ts';
import { useLanguage } from '../words/language.tsx';
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
