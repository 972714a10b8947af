import type { Consent } from '../../api/api.ts';
import { Asker } from '../../request/asker.tsx';
import { dayOf, lastDayOf, momentOf } from '../../words/day.ts';
import { useLanguage } from '../../words/language.tsx';
import { ChangeSharing, type Choice } from './change-sharing.tsx';
import { StopSharing } from './stop-sharing.tsx';
import { classesText, kindsText, sharedOf } from './what-is-shared.ts';
import './consent-card.css';

interface ConsentCardProps {
  consent: Consent;
  stop: () => Promise<void>;
  narrow: (choice: Choice) => Promise<void>;
}

/** One consent that holds: to whom, what of the record, from when to when, and the apps that read under it. */
export function ConsentCard({ consent, stop, narrow }: ConsentCardProps) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const shared = sharedOf(consent);
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
          <dd>{dayOf(consent.since, language)}</dd>
        </div>
        <div>
          <dt>{myData.until}</dt>
          <dd>{lastDayOf(consent.until, language)}</dd>
        </div>
        <div className="consent-wide">
          <dt>{myData.what}</dt>
          <dd>{kindsText(shared, words, language)}</dd>
        </div>
        <div className="consent-wide">
          <dt>{myData.veryPrivate}</dt>
          <dd>{classesText(shared, words, language)}</dd>
        </div>
        <div className="consent-wide">
          <dt>{myData.apps}</dt>
          <dd className="facts-prose">
            <Apps apps={consent.apps} />
          </dd>
        </div>
      </dl>
      <div className="consent-ways">
        <StopSharing consent={consent} stop={stop} />
        <ChangeSharing consent={consent} shared={shared} narrow={narrow} />
      </div>
    </li>
  );
}

function Apps({ apps }: Pick<Consent, 'apps'>) {
  const { words, language } = useLanguage();
  const { myData } = words;
  if (apps.length === 0) return myData.noApps;
  return (
    <ul className="consent-apps">
      {apps.map((app) => (
        <li key={`${app.verifiedHost} ${app.name} ${app.since}`}>
          <Asker client={app}>
            <p className="small">
              {app.lastReadAt === null
                ? myData.neverRead
                : myData.lastRead(momentOf(app.lastReadAt, language))}
            </p>
            <p className="soft small">
              {app.connected ? myData.connected(momentOf(app.since, language)) : myData.disconnected}
            </p>
          </Asker>
        </li>
      ))}
    </ul>
  );
}

/** One that is over: quieter, since nothing can be done about it any more. */
export function EndedConsent({ consent }: { consent: Consent }) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const { organization, project, status, until, since } = consent;
  // A withdrawal is itself the decision in force.
  const ended = status === 'withdrawn' ? dayOf(since, language) : lastDayOf(until, language);
  return (
    <li className="consent-ended">
      <h4>{organization.name}</h4>
      <p className="soft small">{project.name}</p>
      <p className="small">{status === 'withdrawn' ? myData.stoppedOn(ended) : myData.endedOn(ended)}</p>
    </li>
  );
}
