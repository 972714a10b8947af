import { Notice } from '../../../kit/notice.tsx';
import { LookalikeWarning, Requester } from '../../../patient/requester.tsx';
import { Section } from '../../../patient/section.tsx';
import { formatDay } from '../../../kit/format-date.ts';
import { useLanguage } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';

export function RequesterSection({ interaction: { client } }: ReviewProps) {
  const { words, language } = useLanguage();
  const { requester, review } = words;
  // An app has a scheme of its own, which says more than an address of this device.
  const isLoopback = client.onThisDevice && !client.redirectHost.endsWith(':');
  const known = client.registeredAt === null ? null : formatDay(client.registeredAt, language);
  const today = formatDay(new Date().toISOString(), language);
  return (
    <Section icon="app" title={review.who.title}>
      <Requester client={client} />
      <LookalikeWarning client={client} />
      <p>{requester.answersTo(isLoopback ? requester.thisDevice : client.redirectHost)}</p>
      {known !== null && <p>{known === today ? review.who.firstSeen : review.who.registered(known)}</p>}
      {client.onThisDevice && <Notice kind="warning">{requester.onThisDevice}</Notice>}
    </Section>
  );
}
