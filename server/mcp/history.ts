import type { ResourceScope } from '../../contract/data-categories.ts';
import { readRecord, type RecordAccess } from '../consent/record-access.ts';
import {
  entriesIn,
  MOST_ENTRIES,
  olderDay,
  quietGroups,
  standingEntries,
  undatedEntries,
  type Recorded,
  type Subject,
} from '../records/clinical.sql.ts';
import type { Kind } from '../records/entry.ts';
import { disagreementText } from './disagreement.ts';
import { fit, type Shown } from './fit.ts';
import { counted, number, paragraphs } from './markdown.ts';
import type { Disclosure, ToolAnswer, ToolDeps } from './tool.ts';
import { notShared, theRecord, withheldNote } from './withheld-text.ts';
import { dayAfter, dayBefore, yearsBefore, type Window } from './window.ts';
import { QUIET_YEARS } from './written-dates.ts';

/** What is in force and was last told of long ago: the day, by group key. */
export type Quiet = ReadonlyMap<string, string>;

interface History<K extends Kind> {
  title: string;
  /** What it is a history of, in the plural: "laboratory results". */
  plural: string;
  subject: Subject<K>;
  window: Window;
  /** What must not be concluded when there are none. */
  silence?: string;
  /** The sections below the title; entries come newest first, undated ones last. */
  write(entries: Recorded<K>[], window: Window, quiet: Quiet): string;
}

/** The frame of the history tools: what a window shows, how much of it fits, and the last line. */
export async function history<K extends Kind>(
  deps: ToolDeps,
  access: RecordAccess,
  about: History<K>,
): Promise<ToolAnswer> {
  const { subject, window } = about;
  const { rows, consentRecordId, withheld } = await readRecord(deps, access, {
    standing: standingEntries(access, subject, window),
    dated: entriesIn(access, subject, window),
    undated: undatedEntries(access, subject),
    older: olderDay(access, subject, window),
    quiet: quietGroups(access, subject, yearsBefore(window.today, QUIET_YEARS)),
  });
  const read: Read = {
    olderDay: rows.older[0]?.day ?? null,
    quiet: new Map(rows.quiet.map(({ groupKey, lastDay }) => [groupKey, lastDay])),
    standing: rows.standing.length,
    undated: rows.undated.length,
    withheld,
  };
  const page = { standing: rows.standing, dated: rows.dated, undated: rows.undated, olderDay: read.olderDay };
  const texts = new WeakMap<Shown<Recorded<K>>, string>();
  const write = (shown: Shown<Recorded<K>>): string => {
    const text = texts.get(shown) ?? written(about, shown, read);
    texts.set(shown, text);
    return text;
  };
  const shown = fit<Recorded<K>>(page, write);
  return { text: write(shown), consentRecordId, audit: disclosure(entriesOf(shown)) };
}

/** What the answer must know beyond the rows it shows. */
interface Read {
  olderDay: string | null;
  quiet: Quiet;
  /** How many entries were read: their number is limited. */
  standing: number;
  undated: number;
  /** What the consent leaves out. */
  withheld: number;
}

function written<K extends Kind>(about: History<K>, shown: Shown<Recorded<K>>, read: Read): string {
  const { title, plural, window } = about;
  const entries = entriesOf(shown);
  return paragraphs(
    `# ${title}`,
    entries.length > 0 ? about.write(entries, window, read.quiet) : null,
    disagreementText(entries),
    shown.dated.length + shown.undated.length === 0 ? emptyText(about, shown, read) : null,
    limitText(read.standing, `${plural} shown whatever their date`),
    shown.undated.length > 0 ? limitText(read.undated, `${plural} without a date`) : null,
    omission(shown.omitted, plural),
    withheldNote(read.withheld),
    lastLine(window, shown),
  );
}

const entriesOf = <K extends Kind>({ standing, dated, undated }: Shown<Recorded<K>>): Recorded<K>[] =>
  standing.length === 0 ? [...dated, ...undated] : [...standing, ...dated, ...undated].sort(newestFirst);

/** By plain comparison: `localeCompare` takes 50 times as long, and these are digits. */
const descending = (one: string | null, other: string | null): number => {
  const [a, b] = [one ?? '', other ?? ''];
  return a === b ? 0 : a < b ? 1 : -1;
};

const newestFirst = (one: Recorded, other: Recorded): number =>
  descending(one.day, other.day) || descending(one.time, other.time);

function emptyText<K extends Kind>(
  { subject, plural, window, silence }: History<K>,
  { standing }: Shown<Recorded<K>>,
  { olderDay, withheld }: Read,
): string | null {
  const what = standing.length > 0 ? `other ${plural}` : plural;
  if (olderDay !== null) return `No ${what} ${periodText(window)}. ${whereOlder(olderDay)}`;
  if (standing.length > 0) return null;
  const unknown = silence && silenceText(silence, withheld);
  const record = theRecord(withheld);
  const subjectText = window.before === null ? record : `Before ${window.before} ${lowered(record)}`;
  const none = `${subjectText} holds no ${what}.`;
  return [notShared(withheld, CATEGORY_OF[subject.kind]) ?? none, unknown].filter(Boolean).join(' ');
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Where something is withheld, the record may say what an answer does not. */
export const silenceText = (silence: string, withheld: number): string =>
  withheld === 0 ? silence : silence.replace(/:.*$/, '.');

/** What a kind of entries mostly belongs to. */
export const CATEGORY_OF: Readonly<Record<Kind, ResourceScope>> = {
  condition: 'DIAGNOSES',
  medication: 'MEDICATIONS',
  lab: 'LABS',
  vital: 'CLINICAL_VITALS',
  allergy: 'ALLERGIES',
  procedure: 'PROCEDURES',
  immunization: 'IMMUNIZATIONS',
  visit: 'VISITS',
  note: 'CLINICAL_NOTES',
  social: 'SOCIAL_HISTORY',
  other: 'TREATMENT_PLAN',
};

export const periodText = (window: Window): string =>
  window.before === null ? `since ${window.from}` : `from ${window.from} to ${dayBefore(window.before)}`;

export const whereOlder = (olderDay: string): string =>
  `The newest earlier date is ${olderDay}: ask again with \`beforeDate\` ${dayAfter(olderDay)}.`;

export function omission(omitted: number, plural: string): string | null {
  if (omitted === 0) return null;
  return `More ${plural} than one answer holds: ${counted(omitted, 'entry', 'entries')} of the oldest day shown here or without a date could not be listed. \`search\` finds them by name.`;
}

function limitText(count: number, what: string): string | null {
  if (count < MOST_ENTRIES) return null;
  return `Of ${what} only ${number(MOST_ENTRIES)} are read for one answer; if there are more, \`search\` finds them by name.`;
}

/** Always the last line, and always ours. */
export function lastLine(
  window: Window,
  { dated, nextBeforeDate }: Pick<Shown<{ day: string | null }>, 'dated' | 'nextBeforeDate'>,
): string {
  const cut = nextBeforeDate !== null && nextBeforeDate > window.from;
  const from = cut ? nextBeforeDate : window.from;
  const parts = [
    `hasMoreData: ${nextBeforeDate !== null}`,
    `dateRange: ${from} to ${lastDay(window, dated)}`,
  ];
  return [...parts, ...(nextBeforeDate === null ? [] : [`nextBeforeDate: ${nextBeforeDate}`])].join(' | ');
}

/** The last day included; open-ended windows reach to today, or to what lies ahead. */
function lastDay({ before, today }: Window, dated: readonly { day: string | null }[]): string {
  if (before !== null) return dayBefore(before);
  const newest = dated[0]?.day ?? today;
  return newest > today ? newest : today;
}

/** What of a record an answer shows: the day of an entry, or of a group of them the first and the last. */
interface Disclosed extends Pick<Recorded, 'category'> {
  day?: string | null;
  dayText?: string | null;
  firstDay?: string | null;
  lastDay?: string | null;
}

export function disclosure(shown: readonly Disclosed[]): Disclosure {
  const days = shown
    .flatMap((each) => [each.firstDay ?? each.day ?? each.dayText, each.lastDay ?? each.day ?? each.dayText])
    .flatMap((day) => (typeof day === 'string' ? wholeDay(day) : []))
    .sort();
  return {
    categories: [...new Set(shown.map(({ category }) => category))].sort(),
    from: days[0] ?? null,
    until: days.at(-1) ?? null,
    entries: shown.length,
  };
}

/** "2021" and "2021-03" at their first day. */
const wholeDay = (written: string): string => `${written}-01-01`.slice(0, 10);
