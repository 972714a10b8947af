import type { ConnectedApp, Consent } from '../api.ts';
import { formatDay, formatWhenEnds } from '../../../kit/format-date.ts';
import type { Language } from '../../../kit/languages.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import type { Words } from '../words/en.ts';
import { useLanguage } from '../words/use-words.ts';
import { Apps } from './apps.tsx';
import type { CardProps } from './card-props.ts';
import { formatConsentKind, localizeTitle } from './consent-name.ts';
import { formatLimitedClasses } from './limited-classes.ts';
import type { NarrowedScopes } from '../lost-action.ts';
import { NarrowConsent } from './narrow-consent.tsx';
import { WithdrawConsent } from './withdraw-consent.tsx';
import { formatSensitivities, formatCategories, toSharedScopes } from './shared-scopes.ts';
import { formatSoonerEnds } from './sooner-ends.ts';
import './consent-card.css';

interface ConsentCardProps extends CardProps {
  withdraw: () => Promise<void>;
  narrow: (scopes: NarrowedScopes) => Promise<void>;
  disconnect: (app: ConnectedApp) => Promise<void>;
}

/** A consent in force: the recipient, the scopes, the period, and the apps that read under it. */
export function ConsentCard({ withdraw, narrow, disconnect, ...card }: ConsentCardProps) {
  const { consent, consents } = card;
  const { words, language } = useLanguage();
  const { myData } = words;
  const shared = toSharedScopes(consent);
  return (
    <li className="consent stack">
      <h3>
        {formatConsentKind(consent, { words, language })} <ProjectTitle consent={consent} />
      </h3>
      <dl className="facts consent-facts">
        <div>
          <dt>{myData.since}</dt>
          <dd>{formatDay(consent.since, language)}</dd>
        </div>
        <div>
          <dt>{myData.until}</dt>
          <Until consent={consent} />
        </div>
        <div className="consent-wide">
          <dt>{consent.consentType === 'FUTURE_DATA_USE' ? myData.consents.whatLater : myData.what}</dt>
          <dd>{formatCategories(shared, words, language)}</dd>
        </div>
        <div className="consent-wide">
          <dt>{myData.veryPrivate}</dt>
          <dd>
            {formatSensitivities(shared, words, language)}
            <Lines texts={formatLimitedClasses(toParts(consent), { words, language })} />
          </dd>
        </div>
        <div className="consent-wide">
          <dt>{myData.whoReads}</dt>
          <dd>{myData.consents.readers[consent.consentType](consent.organization.name)}</dd>
        </div>
        {consent.consentType === 'PATIENT_DIRECTED_DATA_EXCHANGE' && (
          <div className="consent-wide">
            <dt>{myData.apps}</dt>
            <dd className="facts-prose">
              <Apps {...{ consent, consents, disconnect }} />
            </dd>
          </div>
        )}
      </dl>
      <div className="consent-ways">
        <WithdrawConsent {...card} withdraw={withdraw} />
        <NarrowConsent {...card} shared={shared} narrow={narrow} />
      </div>
    </li>
  );
}

/** When all of it ends, and what ends sooner. */
function Until({ consent }: { consent: Consent }) {
  const { words, language } = useLanguage();
  const { until, since } = consent;
  return (
    <dd>
      {formatWhenEnds({ end: until, since }, language)}
      <Lines texts={formatSoonerEnds({ parts: toParts(consent), since }, { words, language })} />
    </dd>
  );
}

const Lines = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text) => (
    <p key={text} className="small">
      {text}
    </p>
  ));

const toParts = ({ parts }: Consent) =>
  (parts ?? []).map((part) => {
    const { categories, sensitivities } = toSharedScopes(part);
    return { categories, sensitivities, end: part.expirationTimestamp };
  });

/** A consent that has ended: quieter, since it allows no action. */
export function PastConsent({ consent }: { consent: Consent }) {
  const { words, language } = useLanguage();
  return (
    <li className="consent-ended">
      <h4>
        {formatConsentKind(consent, { words, language })} <ProjectTitle consent={consent} />
      </h4>
      <p className="small">{formatEnd(consent, words, language)}</p>
    </li>
  );
}

/** Says how a consent ended, and by whom. */
function formatEnd(
  { status, since, until, organization }: Consent,
  words: Words,
  language: Language,
): string {
  const { myData } = words;
  // Whatever ends a consent before its time is itself the decision in force.
  const decided = formatDay(since, language);
  if (status === 'withdrawn') return myData.stoppedOn(decided);
  if (status === 'refused') return myData.refusedOn(decided);
  if (status === 'revoked') return myData.revokedOn(formatClientName(organization, words), decided);
  return myData.endedOn(formatWhenEnds({ end: until, since }, language));
}

/** The project in the words that the person read, within a heading: several consents may be of one type. */
function ProjectTitle({ consent }: { consent: Consent }) {
  const { language } = useLanguage();
  const { text, lang } = localizeTitle(consent.project, language);
  return (
    <span className="consent-project" lang={lang}>
      {text}
    </span>
  );
}
