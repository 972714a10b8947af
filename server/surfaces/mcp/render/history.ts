import type { ResourceScope } from '../../../../contract/data-categories.ts';
import { readRecord, type RecordAccess } from '../../../consent/access/record-access.ts';
import {
  findEntriesInWindow,
  MAX_ENTRIES,
  findOlderDay,
  findStaleGroups,
  findAlwaysShown,
  findUndatedEntries,
  type StoredEntry,
  type EntryFilter,
} from '../../../clinical/queries/clinical.sql.ts';
import type { Kind } from '../../../clinical/entries/entry.ts';
import { renderDisagreements } from './disagreement.ts';
import { fitToBudget, type PageSelection } from './fit-to-budget.ts';
import { pluralize, formatNumber, joinParagraphs } from './markdown.ts';
import type { Disclosure, ToolResult, ToolDeps } from '../tools/tool.ts';
import { renderNotShared, renderRecordName, renderWithheldNote } from './withheld-text.ts';
import { getNextDay, getPreviousDay, subtractYears, type Window } from './window.ts';
import { STALE_YEARS } from './date-text.ts';

/** What is in force and was last told of long ago: the day, by group key. */
export type StaleGroups = ReadonlyMap<string, string>;

interface HistoryOptions<K extends Kind> {
  title: string;
  /** What it is a history of, in the plural: "laboratory results". */
  plural: string;
  subject: EntryFilter<K>;
  window: Window;
  /** What must not be concluded when there are none. */
  absenceNote?: string;
  /** The sections below the title; entries come newest first, undated ones last. */
  render(entries: StoredEntry<K>[], window: Window, stale: StaleGroups): string;
}

/** The frame of the history tools: what a window shows, how much of it fits, and the last line. */
export async function buildHistory<K extends Kind>(
  deps: ToolDeps,
  access: RecordAccess,
  options: HistoryOptions<K>,
): Promise<ToolResult> {
  const { subject, window } = options;
  const { rows, consentRecordId, withheld } = await readRecord(deps, access, {
    alwaysShown: findAlwaysShown(access, subject, window),
    dated: findEntriesInWindow(access, subject, window),
    undated: findUndatedEntries(access, subject),
    older: findOlderDay(access, subject, window),
    stale: findStaleGroups(access, subject, subtractYears(window.today, STALE_YEARS)),
  });
  const context: HistoryContext = {
    olderDay: rows.older[0]?.day ?? null,
    stale: new Map(rows.stale.map(({ groupKey, lastDay }) => [groupKey, lastDay])),
    alwaysShown: rows.alwaysShown.length,
    undated: rows.undated.length,
    withheld,
  };
  const page = {
    alwaysShown: rows.alwaysShown,
    dated: rows.dated,
    undated: rows.undated,
    olderDay: context.olderDay,
  };
  const texts = new WeakMap<PageSelection<StoredEntry<K>>, string>();
  const render = (shown: PageSelection<StoredEntry<K>>): string => {
    const text = texts.get(shown) ?? renderHistory(options, shown, context);
    texts.set(shown, text);
    return text;
  };
  const shown = fitToBudget<StoredEntry<K>>(page, render);
  return { text: render(shown), consentRecordId, audit: buildDisclosure(mergeEntries(shown)) };
}

/** What the answer must know beyond the rows it shows. */
interface HistoryContext {
  olderDay: string | null;
  stale: StaleGroups;
  /** How many entries were read: their number is limited. */
  alwaysShown: number;
  undated: number;
  /** What the consent leaves out. */
  withheld: number;
}

function renderHistory<K extends Kind>(
  options: HistoryOptions<K>,
  shown: PageSelection<StoredEntry<K>>,
  context: HistoryContext,
): string {
  const { title, plural, window } = options;
  const entries = mergeEntries(shown);
  return joinParagraphs(
    `# ${title}`,
    entries.length > 0 ? options.render(entries, window, context.stale) : null,
    renderDisagreements(entries),
    shown.dated.length + shown.undated.length === 0 ? renderEmpty(options, shown, context) : null,
    renderReadLimit(context.alwaysShown, `${plural} shown whatever their date`),
    shown.undated.length > 0 ? renderReadLimit(context.undated, `${plural} without a date`) : null,
    renderOmission(shown.omitted, plural),
    renderWithheldNote(context.withheld),
    renderMetadataLine(window, shown),
  );
}

const mergeEntries = <K extends Kind>({
  alwaysShown,
  dated,
  undated,
}: PageSelection<StoredEntry<K>>): StoredEntry<K>[] =>
  alwaysShown.length === 0
    ? [...dated, ...undated]
    : [...alwaysShown, ...dated, ...undated].sort(compareNewestFirst);

/** By plain comparison: `localeCompare` takes 50 times as long, and these are digits. */
const compareDescending = (one: string | null, other: string | null): number => {
  const [a, b] = [one ?? '', other ?? ''];
  return a === b ? 0 : a < b ? 1 : -1;
};

const compareNewestFirst = (one: StoredEntry, other: StoredEntry): number =>
  compareDescending(one.day, other.day) || compareDescending(one.time, other.time);

function renderEmpty<K extends Kind>(
  { subject, plural, window, absenceNote }: HistoryOptions<K>,
  { alwaysShown }: PageSelection<StoredEntry<K>>,
  { olderDay, withheld }: HistoryContext,
): string | null {
  const what = alwaysShown.length > 0 ? `other ${plural}` : plural;
  if (olderDay !== null) return `No ${what} ${formatWindow(window)}. ${renderOlderHint(olderDay)}`;
  if (alwaysShown.length > 0) return null;
  const absence = absenceNote && renderAbsenceNote(absenceNote, withheld);
  const record = renderRecordName(withheld);
  const subjectText = window.before === null ? record : `Before ${window.before} ${lowerFirst(record)}`;
  const none = `${subjectText} holds no ${what}.`;
  return [renderNotShared(withheld, CATEGORY_BY_KIND[subject.kind]) ?? none, absence]
    .filter(Boolean)
    .join(' ');
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Where something is withheld, the record may say what an answer does not. */
export const renderAbsenceNote = (absenceNote: string, withheld: number): string =>
  withheld === 0 ? absenceNote : absenceNote.replace(/:.*$/, '.');

/** What a kind of entries mostly belongs to. */
export const CATEGORY_BY_KIND: Readonly<Record<Kind, ResourceScope>> = {
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

export const formatWindow = (window: Window): string =>
  window.before === null ? `since ${window.from}` : `from ${window.from} to ${getPreviousDay(window.before)}`;

export const renderOlderHint = (olderDay: string): string =>
  `The newest earlier date is ${olderDay}: ask again with \`beforeDate\` ${getNextDay(olderDay)}.`;

export function renderOmission(omitted: number, plural: string): string | null {
  if (omitted === 0) return null;
  return `More ${plural} than one answer holds: ${pluralize(omitted, 'entry', 'entries')} of the oldest day shown here or without a date could not be listed. \`search\` finds them by name.`;
}

function renderReadLimit(count: number, what: string): string | null {
  if (count < MAX_ENTRIES) return null;
  return `Of ${what} only ${formatNumber(MAX_ENTRIES)} are read for one answer; if there are more, \`search\` finds them by name.`;
}

/** Always the last line, and always ours. */
export function renderMetadataLine(
  window: Window,
  { dated, nextBeforeDate }: Pick<PageSelection<{ day: string | null }>, 'dated' | 'nextBeforeDate'>,
): string {
  const isCut = nextBeforeDate !== null && nextBeforeDate > window.from;
  const from = isCut ? nextBeforeDate : window.from;
  const parts = [
    `hasMoreData: ${nextBeforeDate !== null}`,
    `dateRange: ${from} to ${findLastDay(window, dated)}`,
  ];
  return [...parts, ...(nextBeforeDate === null ? [] : [`nextBeforeDate: ${nextBeforeDate}`])].join(' | ');
}

/** The last day included; open-ended windows reach to today, or to what lies ahead. */
function findLastDay({ before, today }: Window, dated: readonly { day: string | null }[]): string {
  if (before !== null) return getPreviousDay(before);
  const newest = dated[0]?.day ?? today;
  return newest > today ? newest : today;
}

/** What of a record an answer shows: the day of an entry, or of a group of them the first and the last. */
interface DisclosedEntry extends Pick<StoredEntry, 'category'> {
  day?: string | null;
  dayText?: string | null;
  firstDay?: string | null;
  lastDay?: string | null;
}

export function buildDisclosure(shown: readonly DisclosedEntry[]): Disclosure {
  const days = shown
    .flatMap((each) => [each.firstDay ?? each.day ?? each.dayText, each.lastDay ?? each.day ?? each.dayText])
    .flatMap((day) => (typeof day === 'string' ? toFullDay(day) : []))
    .sort();
  return {
    categories: [...new Set(shown.map(({ category }) => category))].sort(),
    from: days[0] ?? null,
    until: days.at(-1) ?? null,
    entries: shown.length,
  };
}

/** "2021" and "2021-03" at their first day. */
const toFullDay = (renderHistory: string): string => `${renderHistory}-01-01`.slice(0, 10);
