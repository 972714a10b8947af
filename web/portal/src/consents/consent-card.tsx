import type { ConnectedApp, Consent } from '../api.ts';
import { formatDay, formatLastDay } from '../../../kit/format-date.ts';
import { useLanguage } from '../words/use-words.ts';
import { Apps } from './apps.tsx';
import { NarrowConsent, type NarrowedScopes } from './narrow-consent.tsx';
import { WithdrawConsent } from './withdraw-consent.tsx';
import { formatSensitivities, formatCategories, toSharedScopes } from './shared-scopes.ts';
import './consent-card.css';

interface ConsentCardProps {
  consent: Consent;
  withdraw: () => Promise<void>;
  narrow: (scopes: NarrowedScopes) => Promise<void>;
  disconnect: (app: ConnectedApp) => Promise<void>;
}

/** A consent in force: the recipient, the scopes, the period, and the apps that read under it. */
export function ConsentCard({ consent, withdraw, narrow, disconnect }: ConsentCardProps) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const shared = toSharedScopes(consent);
  return (
    <li className="consent stack">
      <h3>{consent.organization.name}</h3>
      <dl className="facts consent-facts">
        <div className="consent-wide">
          <dt>{myData.project}</dt>
          <dd>{consent.project.name}</dd>
        </div>
        <div>
          <dt>{myData.since}</dt>
          <dd>{formatDay(consent.since, language)}</dd>
        </div>
        <div>
          <dt>{myData.until}</dt>
          <dd>{formatLastDay(consent.until, language)}</dd>
        </div>
        <div className="consent-wide">
          <dt>{myData.what}</dt>
          <dd>{formatCategories(shared, words, language)}</dd>
        </div>
        <div className="consent-wide">
          <dt>{myData.veryPrivate}</dt>
          <dd>{formatSensitivities(shared, words, language)}</dd>
        </div>
        {consent.consentType === 'PATIENT_DIRECTED_DATA_EXCHANGE' ? (
          <div className="consent-wide">
            <dt>{myData.apps}</dt>
            <dd className="facts-prose">
              <Apps consent={consent} disconnect={disconnect} />
            </dd>
          </div>
        ) : (
          <div className="consent-wide">
            <dt>{myData.whoReads}</dt>
            <dd>{myData.readers[consent.consentType](consent.organization.name)}</dd>
          </div>
        )}
      </dl>
      <div className="consent-ways">
        <WithdrawConsent consent={consent} withdraw={withdraw} />
        <NarrowConsent consent={consent} shared={shared} narrow={narrow} />
      </div>
    </li>
  );
}

/** A consent that has ended: quieter, since it allows no action. */
export function PastConsent({ consent }: { consent: Consent }) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const { organization, project, status, until, since } = consent;
  // A withdrawal is itself the decision in force.
  const endDay = status === 'withdrawn' ? formatDay(since, language) : formatLastDay(until, language);
  return (
    <li className="consent-ended">
      <h4>{organization.name}</h4>
      <p className="soft small">{project.name}</p>
      <p className="small">{status === 'withdrawn' ? myData.stoppedOn(endDay) : myData.endedOn(endDay)}</p>
    </li>
  );
}
