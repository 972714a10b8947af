import type { Consent } from '../api/api.ts';
import { Asker } from '../request/asker.tsx';
import { dayOf, momentOf } from '../words/day.ts';
import { useLanguage } from '../words/language.tsx';
import { StopSharing } from './stop-sharing.tsx';
import './consent-card.css';

/** One consent: to whom, from when to when, and the apps that read under it. */
export function ConsentCard({ consent, stop }: { consent: Consent; stop: () => Promise<void> }) {
  const { words, language } = useLanguage();
  const { myData, review } = words;
  return (
    <li className="consent stack">
      <h3>{consent.organization.name}</h3>
      <dl className="facts consent-facts">
        <div className="consent-wide">
          <dt>{review.project}</dt>
          <dd>{consent.project.name}</dd>
        </div>
        <div>
          <dt>{myData.since}</dt>
          <dd>{dayOf(consent.since, language)}</dd>
        </div>
        <div>
          <dt>{myData.until}</dt>
          <dd>{dayOf(consent.until, language)}</dd>
        </div>
        <div className="consent-wide">
          <dt>{myData.apps}</dt>
          <dd className="facts-prose">
            <Apps apps={consent.apps} />
          </dd>
        </div>
      </dl>
      <StopSharing consent={consent} stop={stop} />
    </li>
  );
}

function Apps({ apps }: Pick<Consent, 'apps'>) {
  const { words, language } = useLanguage();
  if (apps.length === 0) return words.myData.noApps;
  return (
    <ul className="consent-apps">
      {apps.map((app) => (
        <li key={`${app.verifiedHost} ${app.name} ${app.since}`}>
          <Asker client={app}>
            <p className="soft small">{words.myData.connected(momentOf(app.since, language))}</p>
          </Asker>
        </li>
      ))}
    </ul>
  );
}
