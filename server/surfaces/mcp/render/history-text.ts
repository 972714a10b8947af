import type { DataMask } from '../../../../contract/brands.ts';
import type { Kind } from '../../../clinical/entries/entry.ts';
import type { HistoryEntry, StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import type { Holding } from '../../../clinical/queries/summary.sql.ts';
import { renderAnswer } from './answer-text.ts';
import { formatSpan } from './date-text.ts';
import { renderDisagreements } from './disagreement.ts';
import type { PageSelection } from './page.ts';
import { formatNumber } from './format-number.ts';
import { join } from './markdown.ts';
import type { HistoryOptions, InForce } from './listing.ts';
import { formatWindow, goesOnWith, renderMetadataLine, renderOlderHint, renderOmission } from './paging.ts';
import { getNextDay, type Window } from './window.ts';
import {
  CATEGORY_BY_KIND,
  renderAbsenceNote,
  renderNotShared,
  renderRecordName,
  renderWithheldNote,
} from './withheld-text.ts';

/** How many entries of a part were read for one answer, and how many there are. */
export interface PartCount {
  read: number;
  all: number;
}

/** What an answer needs beyond the rows it shows. */
export interface HistoryContext {
  olderDay: string | null;
  inForce: InForce;
  read: { alwaysShown: PartCount; undatedInForce: PartCount; undated: PartCount };
  /** All entries of the kind, whatever the window. */
  holding: Holding | undefined;
  /** What stands over the answer: what is on its way into the record, or was read in part. */
  notice: string | null;
  /** The mask of labels that the consent withholds. */
  withheld: DataMask;
}

export function renderHistory<K extends Kind>(
  options: HistoryOptions<K>,
  shown: PageSelection<HistoryEntry<K>>,
  context: HistoryContext,
): string {
  const { title, plural, window } = options;
  const entries = mergeEntries(shown);
  const { omitted } = shown;
  return renderAnswer(
    [
      `# ${title}`,
      context.notice,
      entries.length + omitted.length > 0
        ? options.render(entries, { window, omitted, inForce: context.inForce })
        : null,
    ],
    renderDisagreements(entries),
    isWindowEmpty(shown, window) ? renderEmpty(options, shown, context) : null,
    renderReadLimits(options, shown, context),
    renderOmission(shown, { plural, narrower: options.narrower ?? renderNarrower(options) }),
    renderEarlier(shown),
    renderWithheldNote(context.withheld),
    renderMetadataLine(window, shown),
  );
}

export const mergeEntries = <K extends Kind>({
  alwaysShown,
  dated,
  undated,
}: PageSelection<HistoryEntry<K>>): StoredEntry<K>[] =>
  // Alone it is in its order already, by weight where not all fits.
  alwaysShown.length === 0 || dated.length + undated.length === 0
    ? [...alwaysShown, ...dated, ...undated]
    : [...alwaysShown, ...dated, ...undated].sort(compareNewestFirst);

/** Compares plainly: `localeCompare` takes 50 times as long, and these are digits. */
const compareDescending = (one: string | null, other: string | null): number => {
  const [a, b] = [one ?? '', other ?? ''];
  return a === b ? 0 : a < b ? 1 : -1;
};

const compareNewestFirst = (one: StoredEntry, other: StoredEntry): number =>
  compareDescending(one.day, other.day) || compareDescending(one.time, other.time);

/** True where nothing of the window is left for the next answers either. */
const isWindowEmpty = (
  { dated, undated, nextBeforeDate }: PageSelection<unknown>,
  { from }: Window,
): boolean => dated.length + undated.length === 0 && (nextBeforeDate === null || nextBeforeDate <= from);

function renderEmpty<K extends Kind>(
  { subject, only = '', plural, window, absenceNote, hint }: HistoryOptions<K>,
  { alwaysShown, nextBeforeDate }: PageSelection<HistoryEntry<K>>,
  { olderDay, holding, withheld }: HistoryContext,
): string | null {
  const what = `${alwaysShown.length > 0 ? 'other ' : ''}${plural}${only}`;
  if (olderDay !== null)
    return [
      `No ${what} ${formatWindow(window)}.`,
      renderLater(window, holding, only),
      // What is in force goes on with a later day.
      nextBeforeDate === getNextDay(olderDay) ? renderOlderHint(olderDay) : null,
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
    `${isFiltered ? `Of all ${plural}` : 'Of other dates'} it holds ${formatNumber(holding.entries)}, ${formatSpan(holding.firstText, holding.lastText)}.`;
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
    ? `Later ones stand up to ${holding.lastText}.`
    : null;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Says of which part more is recorded than is read for one answer. */
function renderReadLimits<K extends Kind>(
  { plural }: HistoryOptions<K>,
  { undated }: PageSelection<HistoryEntry<K>>,
  { read }: HistoryContext,
): string | null {
  const whatever = `${plural} shown whatever their date`;
  const bySearch = '`search` finds the others by name';
  const limits = [
    renderReadLimit(read.alwaysShown, whatever, '`nextBeforeDate` goes on with the others'),
    renderReadLimit(read.undatedInForce, whatever, bySearch),
    undated.length > 0 ? renderReadLimit(read.undated, `${plural} without a date`, bySearch) : null,
  ];
  return join(limits, ' ') || null;
}

function renderReadLimit({ read, all }: PartCount, what: string, others: string): string | null {
  if (all <= read) return null;
  return `Of ${formatNumber(all)} ${what} only ${formatNumber(read)} are read for one answer, and counted above; ${others}.`;
}

/** Names the shorter way to what is in force and does not fit, where the window goes on before it. */
function renderEarlier<K extends Kind>(shown: PageSelection<HistoryEntry<K>>): string | null {
  const days = shown.omitted
    .filter(goesOnWith(shown))
    .flatMap(({ part, day }) => (part === 'alwaysShown' ? (day ?? []) : []));
  const newest = days.toSorted().at(-1);
  return newest === undefined || getNextDay(newest) === shown.nextBeforeDate
    ? null
    : `Those in force that began before ${getNextDay(newest)} are listed with that day as \`beforeDate\`.`;
}

/** "`search` with `kinds` ["allergy"] finds them by name." */
function renderNarrower<K extends Kind>({ subject: { kind, withNotes } }: HistoryOptions<K>): string {
  const kinds = [kind, ...(withNotes ? ['note'] : [])].map((each) => `"${each}"`);
  return `\`search\` with \`kinds\` [${kinds.join(', ')}] finds them by name.`;
}
