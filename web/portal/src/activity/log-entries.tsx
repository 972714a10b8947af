import { useState } from 'react';
import { Icon, type IconName } from '../../../kit/icon.tsx';
import type { AccountEvent, LogEntry } from '../api.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import { NUMBER_LOCALES } from '../../../kit/format-number.ts';
import type { Language } from '../../../kit/languages.ts';
import { useLanguage } from '../words/use-words.ts';
import { formatTitle } from '../consents/consent-name.ts';
import { formatStillReads } from '../consents/still-reads.ts';
import { findProject } from './decisions.ts';
import { groupEntries, type LogGroup } from './group-entries.ts';
import { renderLine, type LineKind } from './sentence.ts';
import type { SentenceContext } from './sentence-context.ts';
import './activity.css';

interface LogEntriesProps extends Pick<SentenceContext, 'decisions'> {
  entries: readonly LogEntry[];
  /** What happened to the account meanwhile. */
  events: readonly AccountEvent[];
}

/** Entries and events, newest first, under their days in the person's own time zone. */
export function LogEntries({ entries, events, decisions }: LogEntriesProps) {
  const { words, language } = useLanguage();
  const context: SentenceContext = { words, language, decisions };
  const days = Map.groupBy(listItems(entries, events), ({ at }) => new Date(at).toDateString());
  return (
    <div className="stack stack-wide">
      {[...days].map(([day, items]) => (
        <section key={day} className="day">
          <h2 className="day-title">{formatDayTitle(new Date(day), context)}</h2>
          <ul className="entries">
            {items.map((item) =>
              'event' in item ? (
                <AccountEventItem key={item.event.id} event={item.event} context={context} />
              ) : (
                <LogEntryItem key={item.group.entry.id} {...item.group} context={context} />
              ),
            )}
          </ul>
        </section>
      ))}
    </div>
  );
}

type LogItem = { at: string } & ({ group: LogGroup } | { event: AccountEvent });

/** Lists what is shown, newest first; reads one after another are one group even where a sign-in came between. */
const listItems = (entries: readonly LogEntry[], events: readonly AccountEvent[]): LogItem[] =>
  [
    ...groupEntries(entries).map((group) => ({ at: group.entry.at, group })),
    ...events.map((event) => ({ at: event.at, event })),
  ].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));

function AccountEventItem({ event, context }: { event: AccountEvent; context: SentenceContext }) {
  const { words, language } = context;
  const { kind, at, device } = event;
  return (
    <li className="entry entry-account">
      <span className="entry-icon">
        <Icon name="key" />
      </span>
      <div>
        <p>{words.myData.activity.account[kind]}</p>
        <p className="soft small">
          <time dateTime={at}>{formatTime(at, language)}</time>
          {device !== '' && ` · ${device}`}
        </p>
      </div>
    </li>
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

interface LogEntryItemProps extends LogGroup {
  context: SentenceContext;
  /** The entry stands under no title of a day, so it shows its own. */
  isDated?: boolean;
}

export function LogEntryItem({ entry, steps, context, isDated = false }: LogEntryItemProps) {
  const { words, language } = context;
  const { kind, text } = renderLine(entry, { ...context, isSum: steps > 1 });
  const { inSteps, forProject } = words.myData.activity;
  const { organization, at } = entry;
  const project = formatProject(entry, context);
  const time = isDated ? formatWeekday(at, language) : formatTime(at, language);
  const name = formatClientName(organization, words);
  const decision =
    entry.action === 'consent.recorded' ? context.decisions.get(entry.consentRecordId ?? '') : undefined;
  const [now] = useState(() => new Date());
  const stillReads = decision && formatStillReads(decision, context.decisions.values(), { ...context, now });
  return (
    <li className={`entry entry-${kind}`}>
      <span className="entry-icon">
        <Icon name={ICONS[kind]} />
      </span>
      <div>
        <p>
          {steps === 1 ? text : inSteps(text, new Intl.NumberFormat(NUMBER_LOCALES[language]).format(steps))}
        </p>
        {stillReads && <p className="small">{stillReads}</p>}
        <p className="soft small">
          <time dateTime={at}>{time}</time>
          {!isDated && ' · '}
          {!isDated && (project === null ? name : forProject(name, project))}
        </p>
      </div>
    </li>
  );
}

/** The project in the words that the person read; its name where they decided nothing on it. */
function formatProject(entry: LogEntry, context: SentenceContext): string | null {
  const decided = findProject(entry, context.decisions);
  if (decided) return formatTitle(decided, context);
  return entry.project && formatClientName(entry.project, context.words);
}

const formatTime = (at: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(new Date(at));

const formatWeekday = (at: string, language: Language): string =>
  capitalize(
    new Intl.DateTimeFormat(language, {
      weekday: 'long',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }).format(new Date(at)),
  );

function formatDayTitle(day: Date, { words, language }: SentenceContext): string {
  const today = new Date();
  const formatted = new Intl.DateTimeFormat(language, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(day.getFullYear() !== today.getFullYear() && { year: 'numeric' }),
  }).format(day);
  const daysAgo = Math.round((new Date(today.toDateString()).getTime() - day.getTime()) / DAY_MS);
  if (daysAgo === 0) return `${words.myData.activity.today}, ${formatted}`;
  return daysAgo === 1 ? `${words.myData.activity.yesterday}, ${formatted}` : capitalize(formatted);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Not every language writes a weekday with a capital, but a heading begins with one. */
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
