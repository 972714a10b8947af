import { Notice } from '../../../kit/notice.tsx';
import { LookalikeWarning, Requester } from '../../../patient/requester.tsx';
import { Section } from '../../../patient/section.tsx';
import { formatDay } from '../../../kit/format-date.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { OrganizationCard } from './organization-card.tsx';
import { ClientAbout } from './client-about.tsx';
import type { Interaction, PreviousConsent } from '../api.ts';
import type { ReviewProps } from './review-props.ts';

interface RequesterSectionProps extends Pick<ReviewProps, 'interaction' | 'now'> {
  /** Of the short form: what the app says of itself stands on the whole review. */
  isShort?: boolean;
}

export function RequesterSection({ interaction, now, isShort = false }: RequesterSectionProps) {
  const { client, organization, previous } = interaction;
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
      {known !== null && (
        <p>{known === today && !isKnown(previous) ? review.who.firstSeen : review.who.registered(known)}</p>
      )}
      {client.about !== null && !isShort && <ClientAbout about={client.about} />}
    </Section>
  );
}

/** The person has let the app in already, be it today. */
const isKnown = (previous: PreviousConsent | null): boolean => (previous?.grant ?? null) !== null;

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
