import { Icon } from '../../../look/icon.tsx';
import { Notice } from '../../../look/notice.tsx';
import type { Interaction } from '../api/api.ts';
import { usePage } from '../page.ts';
import { Asker } from '../request/asker.tsx';
import { clientName } from '../request/client-name.ts';
import { Section } from '../section.tsx';
import { dayOf } from '../words/day.ts';
import { useLanguage, useWords } from '../words/language.tsx';

type About = { interaction: Interaction };

function Who({ interaction: { client } }: About) {
  const { review, asker } = useWords();
  return (
    <Section icon="app" title={review.who}>
      <Asker client={client} />
      <p>{asker.answersTo(client.redirectHost)}</p>
      {client.onThisDevice && <Notice kind="warning">{asker.onThisDevice}</Notice>}
    </Section>
  );
}

function Why({ interaction: { organization, project, client } }: About) {
  const words = useWords();
  const { review } = words;
  return (
    <Section icon="building" title={review.why}>
      <dl className="facts">
        <div>
          <dt>{review.organization}</dt>
          <dd>{organization.name}</dd>
        </div>
        <div>
          <dt>{review.project}</dt>
          <dd>{project.name}</dd>
        </div>
        <div>
          <dt>{review.purpose}</dt>
          <dd className="facts-prose">{project.purpose ?? review.ownRequest(clientName(client, words))}</dd>
        </div>
      </dl>
    </Section>
  );
}

function What({ interaction }: About) {
  const words = useWords();
  const { review } = words;
  return (
    <Section icon="record" title={review.what}>
      <p>{review.whole(interaction.organization.name)}</p>
      <ul className="groups">
        {review.groups.map((group) => (
          <li key={group}>
            <Icon name="check" />
            {group}
          </li>
        ))}
      </ul>
      <p>{review.sensitive}</p>
      <p>{review.readOnly}</p>
    </Section>
  );
}

function WhenAway({ interaction: { client, offlineAccess } }: About) {
  const words = useWords();
  const { review } = words;
  const name = clientName(client, words);
  return offlineAccess ? (
    <Section icon="away" title={review.offline}>
      <p>{review.offlineText(name)}</p>
    </Section>
  ) : (
    <Section icon="away" title={review.onlyNow}>
      <p>{review.onlyNowText(name)}</p>
    </Section>
  );
}

function HowLong({ interaction }: About) {
  const { words, language } = useLanguage();
  return (
    <Section icon="clock" title={words.review.howLong}>
      <p>{words.review.until(dayOf(interaction.consentUntil, language))}</p>
    </Section>
  );
}

function HowToStop(_: About) {
  const { root } = usePage();
  const { review } = useWords();
  return (
    <Section icon="stop" title={review.stopping}>
      <p>{review.stoppingText}</p>
      <p>
        <strong>{`${root.replace(/^https?:\/\//, '')}/consent/#/my-data`}</strong>
      </p>
    </Section>
  );
}

function GoodToKnow({ interaction: { client, organization } }: About) {
  const words = useWords();
  const { review } = words;
  return (
    <Section icon="info" title={review.goodToKnow}>
      <p>{review.passedOn(clientName(client, words))}</p>
      <p>{review.noEffect(organization.name)}</p>
    </Section>
  );
}

/**
 * What is said before a decision, in this order; each is a slot of 45 CFR 164.508(c)(1) and (2). A choice the patient
 * may make (fewer categories, a shorter time) is one more of these, or one that is said here now and asked then.
 */
export const SECTIONS = [Who, Why, What, WhenAway, HowLong, HowToStop, GoodToKnow];
