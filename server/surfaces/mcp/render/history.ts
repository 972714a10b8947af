import type { DataMask } from '../../../../contract/brands.ts';
import type { ConsentedAccess } from '../../../consent/access/record-access.ts';
import {
  findGroupsInForce,
  findHistory,
  findOlderDay,
  MAX_ENTRIES,
  type EntryFilter,
  type GroupInForce,
  type HistoryEntry,
  type StoredEntry,
} from '../../../clinical/queries/clinical.sql.ts';
import {
  findDeceased,
  findHoldings,
  type Demographics,
  type Holding,
} from '../../../clinical/queries/summary.sql.ts';
import type { Kind } from '../../../clinical/entries/entry.ts';
import { renderAnswer } from './answer-text.ts';
import { findDeath } from './death-text.ts';
import { renderDisagreements } from './disagreement.ts';
import { fitToBudget, type PageSelection } from './fit-to-budget.ts';
import { sumHoldings } from './kind-overview.ts';
import { formatNumber, type Block } from './markdown.ts';
import { buildDisclosure, listNotShared } from './disclosure.ts';
import { formatWindow, renderMetadataLine, renderOlderHint, renderOmission } from './paging.ts';
import { toBasis } from './answer-basis.ts';
import { readForAnswer } from './read-answer.ts';
import type { ToolResult, ToolDeps } from '../tool.ts';
import {
  CATEGORY_BY_KIND,
  renderAbsenceNote,
  renderNotShared,
  renderRecordName,
  renderWithheldNote,
} from './withheld-text.ts';
import { shiftWindow, subtractYears, type Window } from './window.ts';
import { formatSpan, STALE_YEARS } from './date-text.ts';

/** What the whole record says of what is in force. */
export interface InForce {
  /** Of entries that were last recorded long ago: the day they were, by group key. */
  stale: ReadonlyMap<string, string>;
  groups: ReadonlyMap<string, GroupInForce>;
  /** "died on 2024-03-03"; null of the living. */
  death: string | null;
}

interface HistoryOptions<K extends Kind> {
  title: string;
  /** The entries' name in the plural: "laboratory results". */
  plural: string;
  subject: EntryFilter<K>;
  /** What of them is asked for: " of “A1c”"; absent: nothing is filtered, and what comes later is said. */
  only?: string | undefined;
  window: Window;
  /** What a reader must not conclude when there are no entries. */
  absenceNote?: string;
  /** What to try where nothing of what is asked for is found, though there is something else. */
  hint?: string;
  /** The sections below the title; entries come newest first, undated ones last. */
  render(entries: StoredEntry<K>[], window: Window, inForce: InForce): Block;
}

/** Builds the answer of a history tool: selects what the window shows, fits it to one answer, and adds the last line. */
export async function buildHistory<K extends Kind>(
  deps: ToolDeps,
  access: ConsentedAccess,
  options: HistoryOptions<K>,
): Promise<ToolResult> {
  const read = await readHistory(deps, access, options);
  const shifted = shiftWindow(options.window, read.rows.holdings);
  if (shifted === null) return { ...composeHistory(options, read), basis: toBasis(read) };
  const moved = { ...options, window: shifted };
  const again = await readHistory(deps, access, moved);
  return { ...composeHistory(moved, again), basis: toBasis(again, read) };
}

type HistoryRead<K extends Kind> = Awaited<ReturnType<typeof readHistory<K>>>;

const readHistory = <K extends Kind>(
  deps: ToolDeps,
  access: ConsentedAccess,
  { subject, window }: HistoryOptions<K>,
) =>
  readForAnswer(deps, access, {
    entries: findHistory(access, subject, window),
    older: subject.alwaysShown === 'all' ? null : findOlderDay(access, subject, window),
    ...findInForce(access, subject, window),
    holdings: findHoldings(access),
  });

const findInForce = (access: ConsentedAccess, subject: EntryFilter, { today }: Window) => {
  const isAsked = subject.alwaysShown === 'current';
  return {
    groups: isAsked ? findGroupsInForce(access, subject.kind, subtractYears(today, STALE_YEARS)) : null,
    people: isAsked ? findDeceased(access) : null,
  };
};

function composeHistory<K extends Kind>(options: HistoryOptions<K>, read: HistoryRead<K>): ToolResult {
  const { rows, consentRecordId, withheld, notice } = read;
  const listPart = (wanted: HistoryEntry['part']): StoredEntry<K>[] =>
    rows.entries.filter(({ part }) => part === wanted);
  const alwaysShown = listPart('alwaysShown');
  const [dated, undated] = [listPart('dated'), listPart('undated')];
  const context: HistoryContext = {
    olderDay: rows.older[0]?.day ?? null,
    inForce: toInForce(rows),
    alwaysShown: alwaysShown.length,
    undated: undated.length,
    holding: findHolding(rows.holdings, options.subject),
    notice,
    withheld,
  };
  const texts = new WeakMap<PageSelection<StoredEntry<K>>, string>();
  const render = (shown: PageSelection<StoredEntry<K>>): string => {
    const text = texts.get(shown) ?? renderHistory(options, shown, context);
    texts.set(shown, text);
    return text;
  };
  const page = { alwaysShown, dated, undated, olderDay: context.olderDay };
  const shown = fitToBudget<StoredEntry<K>>(page, render);
  const audit = {
    ...buildDisclosure(mergeEntries(shown)),
    ...listNotShared(withheld, options.subject.kind),
  };
  return { text: render(shown), consentRecordId, audit };
}

function toInForce({
  groups,
  people,
}: {
  groups: readonly GroupInForce[];
  people: readonly Demographics[];
}): InForce {
  const death = findDeath(people);
  // Of the dead nothing is stale: it is over.
  const stale = groups.flatMap(({ groupKey, lastDay, isStale }) =>
    isStale && lastDay !== null && death === null ? [[groupKey, lastDay] as const] : [],
  );
  return { stale: new Map(stale), groups: new Map(groups.map((group) => [group.groupKey, group])), death };
}

/** All entries of what is asked for, whatever the window. */
const findHolding = (holdings: readonly Holding[], { kind, withNotes }: EntryFilter): Holding | undefined =>
  sumHoldings(
    holdings.filter((each) => each.kind === kind || (withNotes === true && each.kind === 'note')),
    kind,
  );

/** What an answer needs beyond the rows it shows. */
interface HistoryContext {
  olderDay: string | null;
  inForce: InForce;
  /** Number of entries read; it is limited by `MAX_ENTRIES`. */
  alwaysShown: number;
  undated: number;
  /** All entries of the kind, whatever the window. */
  holding: Holding | undefined;
  /** What stands over the answer: what is on its way into the record, or was read in part. */
  notice: string | null;
  /** The mask of labels that the consent withholds. */
  withheld: DataMask;
}

function renderHistory<K extends Kind>(
  options: HistoryOptions<K>,
  shown: PageSelection<StoredEntry<K>>,
  context: HistoryContext,
): string {
  const { title, plural, window } = options;
  const entries = mergeEntries(shown);
  return renderAnswer(
    [
      `# ${title}`,
      context.notice,
      entries.length > 0 ? options.render(entries, window, context.inForce) : null,
    ],
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

/** Compares plainly: `localeCompare` takes 50 times as long, and these are digits. */
const compareDescending = (one: string | null, other: string | null): number => {
  const [a, b] = [one ?? '', other ?? ''];
  return a === b ? 0 : a < b ? 1 : -1;
};

const compareNewestFirst = (one: StoredEntry, other: StoredEntry): number =>
  compareDescending(one.day, other.day) || compareDescending(one.time, other.time);

function renderEmpty<K extends Kind>(
  { subject, only = '', plural, window, absenceNote, hint }: HistoryOptions<K>,
  { alwaysShown }: PageSelection<StoredEntry<K>>,
  { olderDay, holding, withheld }: HistoryContext,
): string | null {
  const what = `${alwaysShown.length > 0 ? 'other ' : ''}${plural}${only}`;
  if (olderDay !== null)
    return [
      `No ${what} ${formatWindow(window)}.`,
      renderLater(window, holding, only),
      renderOlderHint(olderDay),
    ]
      .filter(Boolean)
      .join(' ');
  if (alwaysShown.length > 0) return null;
  const absence = absenceNote && renderAbsenceNote(absenceNote, withheld);
  const record = renderRecordName(withheld);
  const subjectText = window.before === null ? record : `Before ${window.before} ${lowerFirst(record)}`;
  const isFiltered = only !== '';
  const outside =
    holding &&
    `${isFiltered ? `Of all ${plural}` : 'Of other dates'} it holds ${formatNumber(holding.entries)}, ${formatSpan(holding.firstDay, holding.lastDay)}.`;
  return [
    renderNotShared(withheld, CATEGORY_BY_KIND[subject.kind]) ?? `${subjectText} holds no ${what}.`,
    outside,
    isFiltered && outside ? hint : null,
    absence,
  ]
    .filter(Boolean)
    .join(' ');
}

/** "Later ones stand up to 2024-05-06." of a window that ends before the newest entry. */
const renderLater = ({ before }: Window, holding: Holding | undefined, only: string): string | null =>
  before !== null && only === '' && holding?.lastDay && holding.lastDay >= before
    ? `Later ones stand up to ${holding.lastDay}.`
    : null;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function renderReadLimit(count: number, what: string): string | null {
  if (count < MAX_ENTRIES) return null;
  return `Of ${what} only ${formatNumber(MAX_ENTRIES)} are read for one answer; if there are more, \`search\` finds them by name.`;
}
