import { Icon, type IconName } from '../../../../look/icon.tsx';
import type { LogEntry } from '../../api/api.ts';
import { clientName } from '../../request/client-name.ts';
import { type Language, useLanguage } from '../../words/language.tsx';
import { joined, type Shown } from './joined.ts';
import { lineOf, type LineKind, type Telling } from './sentence.ts';
import './activity.css';

/** Entries, newest first, under the days on which they happened where this person is. */
export function Entries({
  entries,
  decisions,
}: { entries: readonly LogEntry[] } & Pick<Telling, 'decisions'>) {
  const { words, language } = useLanguage();
  const telling: Telling = { words, language, decisions };
  const days = Map.groupBy(entries, ({ at }) => new Date(at).toDateString());
  return (
    <div className="stack stack-wide">
      {[...days].map(([day, ofDay]) => (
        <section key={day} className="day">
          <h2 className="day-title">{dayTitle(new Date(day), telling)}</h2>
          <ul className="entries">
            {joined(ofDay).map((shown) => (
              <Entry key={shown.entry.id} {...shown} telling={telling} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const ICONS: Record<LineKind, IconName> = {
  read: 'eye',
  search: 'search',
  refused: 'warning',
  yes: 'check',
  change: 'pen',
  stop: 'stop',
  connected: 'link',
  added: 'building',
  other: 'info',
};

interface EntryProps extends Shown {
  telling: Telling;
  /** It stands under no day, and so says its own. */
  dated?: boolean;
}

export function Entry({ entry, steps, telling, dated = false }: EntryProps) {
  const { words, language } = telling;
  const { kind, text } = lineOf(entry, telling);
  const { inSteps, forProject } = words.myData.activity;
  const { organization, project, at } = entry;
  const time = dated ? weekdayOf(at, language) : timeOf(at, language);
  const name = clientName(organization, words);
  return (
    <li className={`entry entry-${kind}`}>
      <span className="entry-icon">
        <Icon name={ICONS[kind]} />
      </span>
      <div>
        <p>{steps === 1 ? text : inSteps(text, new Intl.NumberFormat(language).format(steps))}</p>
        <p className="soft small">
          <time dateTime={at}>{time}</time>
          {!dated && ' · '}
          {!dated && (project === null ? name : forProject(name, clientName(project, words)))}
        </p>
      </div>
    </li>
  );
}

const timeOf = (at: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(new Date(at));

const weekdayOf = (at: string, language: Language): string =>
  capital(
    new Intl.DateTimeFormat(language, {
      weekday: 'long',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }).format(new Date(at)),
  );

function dayTitle(day: Date, { words, language }: Telling): string {
  const today = new Date();
  const written = new Intl.DateTimeFormat(language, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(day.getFullYear() !== today.getFullYear() && { year: 'numeric' }),
  }).format(day);
  const ago = Math.round((new Date(today.toDateString()).getTime() - day.getTime()) / DAY_MS);
  if (ago === 0) return `${words.myData.activity.today}, ${written}`;
  return ago === 1 ? `${words.myData.activity.yesterday}, ${written}` : capital(written);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A weekday is not written with a capital in every language, but a heading is. */
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
