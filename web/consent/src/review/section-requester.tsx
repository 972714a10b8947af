import { Notice } from '../../../kit/notice.tsx';
import { LookalikeWarning, Requester } from '../../../patient/requester.tsx';
import { Section } from '../../../patient/section.tsx';
import { formatDay } from '../../../kit/format-date.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { OrganizationCard } from './organization-card.tsx';
import { ClientAbout } from './client-about.tsx';
import type { Interaction } from '../api.ts';
import type { ReviewProps } from './review-props.ts';

export function RequesterSection({ interaction: { client, organization }, now }: ReviewProps) {
  const { words, language } = useLanguage();
  const { review } = words;
  if (client === null)
    return (
      <Section icon="building" title={review.who.title}>
        {/* Who answers questions stands with what it is for. */}
        <OrganizationCard organization={{ ...organization, contact: null }} />
      </Section>
    );
  const known = client.registeredAt === null ? null : formatDay(client.registeredAt, language);
  const today = formatDay(now.toISOString(), language);
  return (
    <Section icon="app" title={review.who.title}>
      <Requester client={client} />
      <LookalikeWarning client={client} />
      <Recipient client={client} />
      {known !== null && <p>{known === today ? review.who.firstSeen : review.who.registered(known)}</p>}
      {client.about !== null && <ClientAbout about={client.about} />}
    </Section>
  );
}

/** Where the answer goes; a program on this device is whoever listens there, and so comes with a warning. */
function Recipient({ client }: { client: Interaction['client'] }) {
  const { requester } = useWords();
  const { redirectHost, onThisDevice } = client;
  if (!onThisDevice) return <p>{requester.answersTo(redirectHost)}</p>;
  // An app has a scheme of its own, which says more than an address of this device.
  const hasScheme = redirectHost.endsWith(':');
  return (
    <Notice kind="warning">
      <p>
        <strong>{requester.answersTo(hasScheme ? redirectHost : requester.thisDevice)}</strong>
      </p>
      <p>
        {hasScheme && `${requester.onThisDevice} `}
        {requester.startedYourself}
      </p>
    </Notice>
  );
}
