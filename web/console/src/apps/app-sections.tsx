import type { ClientDetail } from '../../../../contract/organization/clients.ts';
import { Fragment, lazy, Suspense, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { formatCount, formatNumber } from '../../../kit/format-number.ts';
import { useConsole, usePermission } from '../api/use-console.ts';
import { Id } from '../kit/copy-button.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { Section } from '../kit/page.tsx';
import { ExactTime, RelativeTime } from '../kit/relative-time.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';
import { AppName, canBeVouchedFor, JudgementBadge } from './app-names.tsx';
import { useAppWords } from './use-app-words.ts';

interface AppProps {
  app: ClientDetail;
}

/** What the consent page says of the app. */
export function SeenByPatients({ app }: AppProps) {
  const words = useAppWords();
  const { seen, standsOn } = words;
  const { organization } = useConsole();
  const host = app.documentUrl === null ? null : new URL(app.documentUrl).hostname;
  const isKnown = app.judgement === 'vouched';
  return (
    <Section title={seen.title}>
      <dl className="facts">
        <dt>{seen.name}</dt>
        <dd>
          <AppName app={app} />
          {app.looksLike !== null && <p className="small soft">{words.looksLike(app.looksLike)}</p>}
        </dd>
        <dt>{seen.standing}</dt>
        <dd>
          {isKnown && <p>{seen.knownBy(organization.name)}</p>}
          {host !== null && <p>{seen.verified(host)}</p>}
          {host === null && !isKnown && <p>{seen.unverified}</p>}
        </dd>
        <dt>{seen.answers}</dt>
        <dd>{app.redirectHost ?? standsOn.device}</dd>
        <dt>{seen.links}</dt>
        <dd>
          <Links about={app.about} />
        </dd>
      </dl>
      <Rendered app={app} />
    </Section>
  );
}

const AppPreview = lazy(async () => ({ default: (await import('./app-preview.tsx')).AppPreview }));

/** The consent page itself, loaded by whoever wants to see it. An app that is blocked is turned away before any review. */
function Rendered({ app }: AppProps) {
  const { seen } = useAppWords();
  const { common } = useWords();
  const [isShown, setIsShown] = useState(false);
  if (app.judgement === 'blocked') return <p className="soft">{seen.turnedAway}</p>;
  if (isShown)
    return (
      <Suspense fallback={<p className="soft">{common.oneMoment}</p>}>
        <AppPreview app={app} />
      </Suspense>
    );
  return (
    <div>
      <Button onPress={() => setIsShown(true)}>{seen.show}</Button>
    </div>
  );
}

/** In the app's own words, each with its address: nobody has checked them. */
function Links({ about }: { about: ClientDetail['about'] }) {
  const { seen } = useAppWords();
  if (about === null) return <>{seen.nothing}</>;
  const links = [
    [seen.policy, about.policyUri],
    [seen.terms, about.tosUri],
    [seen.homepage, about.clientUri],
  ] as const;
  return (
    <ul>
      {links.map(
        ([text, uri]) =>
          uri !== null && (
            <li key={text}>
              <a href={uri} target="_blank" rel="noreferrer">
                {text}
              </a>{' '}
              <span className="soft small">{new URL(uri).host}</span>
            </li>
          ),
      )}
      {about.contacts.map((contact) => (
        <li key={contact}>{contact}</li>
      ))}
    </ul>
  );
}

export function Judgement({ app }: AppProps) {
  const { judgement: words, vouch } = useAppWords();
  const mayManage = usePermission('clients.manage');
  const [kind, host] = app.blocks.split(/:(.*)/s);
  return (
    <Section title={words.title}>
      <dl className="facts">
        <dt>{words.state}</dt>
        <dd>
          <JudgementBadge judgement={app.judgement} /> {words[app.judgement]}
        </dd>
        {app.note !== null && (
          <>
            <dt>{words.note}</dt>
            <dd>
              <bdi>{app.note}</bdi>
            </dd>
          </>
        )}
        {app.judgedAt !== null && (
          <>
            <dt>{words.since}</dt>
            <dd>
              <ExactTime time={app.judgedAt} />
            </dd>
            <dt>{words.until}</dt>
            <dd>{app.until === null ? words.forever : <ExactTime time={app.until} />}</dd>
          </>
        )}
        <dt>{words.acts}</dt>
        <dd>{kind === 'host' ? words.actsOnHost(host ?? '') : words.actsOnDevice}</dd>
      </dl>
      {mayManage && app.judgement === 'new' && !canBeVouchedFor(app) && (
        <p className="soft">{vouch.cannot}</p>
      )}
    </Section>
  );
}

const CONNECTION_STATES = [
  'active',
  'expired',
  'endedByPatient',
  'endedByClient',
  'endedByOrganization',
  'endedForReuse',
] as const;

export function Connections({ connections }: Pick<ClientDetail, 'connections'>) {
  const { connections: words } = useAppWords();
  const { language } = useLanguage();
  return (
    <Section title={words.title}>
      <dl className="facts">
        {CONNECTION_STATES.map((state) => (
          <Fragment key={state}>
            <dt>{words[state]}</dt>
            <dd>{formatNumber(connections[state], language)}</dd>
          </Fragment>
        ))}
      </dl>
      {connections.endedForReuse > 0 && <p className="small soft">{words.reuse}</p>}
    </Section>
  );
}

export function Registrations({ registrations }: Pick<ClientDetail, 'registrations'>) {
  const { registrations: words } = useAppWords();
  const maySeeConsents = usePermission('consents.read');
  const maySeeReads = usePermission('audit.read');
  const { language } = useLanguage();
  const { total, newest } = registrations;
  return (
    <Section title={words.title}>
      {total === 0 && <p className="soft">{words.none}</p>}
      {total > 0 && (
        <>
          <p className="soft">{words.lead(formatNumber(total, language))}</p>
          <ul className="stack">
            {newest.map(({ clientId, patients, firstConnectedAt }) => (
              <li key={clientId}>
                <Id id={clientId} subject={words.clientId} />{' '}
                {maySeeReads && (
                  <PageLink to="/reads" search={{ client: clientId }}>
                    {words.reads}
                  </PageLink>
                )}{' '}
                {maySeeReads && (
                  <PageLink to="/reads" search={{ client: clientId, outcome: 'refused' }}>
                    {words.refused}
                  </PageLink>
                )}{' '}
                {maySeeConsents && (
                  <PageLink to="/consents" search={{ client: clientId }}>
                    {words.decisions}
                  </PageLink>
                )}
                <p className="small soft">
                  {formatCount(patients, words.patients, language)}, {words.since}{' '}
                  <RelativeTime time={firstConnectedAt} />
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
