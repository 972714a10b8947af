import { Requester } from '../../../patient/requester.tsx';
import { formatDateTime, formatWhenEnds } from '../../../kit/format-date.ts';
import { formatList } from '../../../kit/format-list.ts';
import type { Language } from '../../../kit/languages.ts';
import type { ConnectedApp, Consent } from '../api.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import type { Words } from '../words/en.ts';
import { useLanguage } from '../words/use-words.ts';
import { formatAppGoesOn } from './consent-effects.ts';
import { formatAppName, formatNamesakes } from './namesakes.ts';
import { listMissing, toSharedScopes } from './shared-scopes.ts';

interface AppsProps {
  consent: Consent;
  /** All of the person: an app may read by another, too. */
  consents: readonly Consent[];
  disconnect: (app: ConnectedApp) => Promise<void>;
}

/** The apps that read under a consent, or did; each is disconnected by itself. */
export function Apps({ consent, consents, disconnect }: AppsProps) {
  const { myData } = useLanguage().words;
  if (consent.apps.length === 0) return myData.noApps;
  return (
    <ul className="consent-apps">
      {consent.apps.map((app) => (
        <li key={app.clientId}>
          <App {...{ app, consent, consents }} disconnect={async () => disconnect(app)} />
        </li>
      ))}
    </ul>
  );
}

interface AppProps {
  app: ConnectedApp;
  consent: Consent;
  consents: readonly Consent[];
  disconnect: () => Promise<void>;
}

function App({ app, consent, consents, disconnect }: AppProps) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const missing = formatMissing(app, consent, { words, language });
  // One that was let in again has been connected since the first time.
  const since = app.since > consent.since ? app.since : consent.since;
  return (
    <div className="stack">
      <Requester client={app}>
        <p className="small">
          {app.lastReadAt === null
            ? myData.neverRead
            : myData.lastRead(formatDateTime(app.lastReadAt, language))}
        </p>
        <p className="soft small">
          {app.connected ? myData.connected(formatDateTime(app.since, language)) : myData.disconnected}
        </p>
        {missing !== null && <p className="small">{myData.appLess(missing)}</p>}
        {app.grant !== null && app.grant.expirationTimestamp < consent.until && (
          <p className="small">
            {myData.appUntil(formatWhenEnds({ end: app.grant.expirationTimestamp, since }, language))}
          </p>
        )}
      </Requester>
      {app.connected && <DisconnectApp {...{ app, consent, consents, disconnect }} />}
    </div>
  );
}

function DisconnectApp({ app, consent, consents, disconnect }: AppProps) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const goesOn = formatAppGoesOn(app, consent, { words, language, consents });
  const context = { words, language, consents };
  const namesakes = formatNamesakes(app, context);
  const name = formatAppName(app, context);
  return (
    <ConfirmButton
      label={myData.disconnect}
      subject={name}
      title={myData.disconnectTitle(name)}
      confirmLabel={myData.yesDisconnect}
      cancelLabel={myData.keepConnected}
      onConfirm={disconnect}
    >
      <p>{myData.disconnectText(name)}</p>
      {namesakes !== null && <p>{namesakes}</p>}
      {goesOn !== null && <p>{goesOn}</p>}
      <p>{myData.disconnectOrganization(consent.organization.name)}</p>
      <p>{myData.disconnectAgain}</p>
    </ConfirmButton>
  );
}

/** Lists what the consent covers and the app does not get; null where that is nothing, or the app reads nothing. */
function formatMissing(
  { grant }: ConnectedApp,
  consent: Consent,
  { words, language }: { words: Words; language: Language },
): string | null {
  if (grant === null) return null;
  const names = listMissing(toSharedScopes(consent), toSharedScopes(grant), words);
  return names.length === 0 ? null : formatList(names, language);
}
