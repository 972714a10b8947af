import type { MyConsent as Consent } from '../../../../contract/account/my-consents.ts';
import { formatDateTime } from '../../../kit/format-date.ts';
import { formatList } from '../../../kit/format-list.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import type { TextContext } from './consent-name.ts';

type App = Consent['apps'][number];

interface AppContext extends TextContext {
  /** All consents of the person. */
  consents: readonly Consent[];
}

const toLooks = (app: App, { words }: TextContext): string =>
  formatClientName(app, words).normalize('NFKC').toLowerCase();

/** Lists the other apps that are connected and look the same by name: each registration of a program is an app of its own. */
const listNamesakes = (app: App, context: AppContext): App[] => {
  const others = context.consents
    .filter(({ status }) => status === 'active')
    .flatMap(({ apps }) => apps)
    .filter(
      (other) =>
        other.connected &&
        other.clientId !== app.clientId &&
        toLooks(other, context) === toLooks(app, context),
    );
  return [...new Map(others.map((other) => [other.clientId, other])).values()];
};

/** Names an app; with the day that it was connected where another one has the same name. */
export function formatAppName(app: App, context: AppContext): string {
  const { words, language } = context;
  const name = formatClientName(app, words);
  return listNamesakes(app, context).length === 0
    ? name
    : words.myData.appSince(name, formatDateTime(app.since, language));
}

/** Says that another app of the same name goes on when this one is disconnected; null: there is none. */
export function formatNamesakes(app: App, context: AppContext): string | null {
  const { words, language } = context;
  const others = listNamesakes(app, context);
  if (others.length === 0) return null;
  const { namesakes } = words.myData;
  const times = others.map(({ since, lastReadAt }) =>
    namesakes.times(
      formatDateTime(since, language),
      lastReadAt === null ? null : formatDateTime(lastReadAt, language),
    ),
  );
  return namesakes.goOn(formatClientName(app, words), formatList(times, language));
}
