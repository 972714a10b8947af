import { Notice } from '../../../kit/notice.tsx';
import { LookalikeWarning, Requester } from '../../../patient/requester.tsx';
import { Section } from '../../../patient/section.tsx';
import { formatDay } from '../../../kit/format-date.ts';
import { useLanguage } from '../words/use-words.ts';
import { OrganizationCard } from './organization-card.tsx';
import { ClientAbout } from './client-about.tsx';
import type { ReviewProps } from './review-props.ts';

export function RequesterSection({ interaction: { client, organization }, now }: ReviewProps) {
  const { words, language } = useLanguage();
  const { requester, review } = words;
  if (client === null)
    return (
      <Section icon="building" title={review.who.title}>
        {/* Who answers questions stands with what it is for. */}
        <OrganizationCard organization={{ ...organization, contact: null }} />
      </Section>
    );
  // An app has a scheme of its own, which says more than an address of this device.
  const isLoopback = client.onThisDevice && !client.redirectHost.endsWith(':');
  const known = client.registeredAt === null ? null : formatDay(client.registeredAt, language);
  const today = formatDay(now.toISOString(), language);
  return (
    <Section icon="app" title={review.who.title}>
      <Requester client={client} />
      <LookalikeWarning client={client} />
      <p>{requester.answersTo(isLoopback ? requester.thisDevice : client.redirectHost)}</p>
      {known !== null && <p>{known === today ? review.who.firstSeen : review.who.registered(known)}</p>}
      {client.about !== null && <ClientAbout about={client.about} />}
      {client.onThisDevice && <Notice kind="warning">{requester.onThisDevice}</Notice>}
    </Section>
  );
}
