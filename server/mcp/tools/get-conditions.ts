import type { Recorded } from '../../records/clinical.sql.ts';
import { history, type Quiet } from '../history.ts';
import { factTable, listed, paragraphs, section, type Fact } from '../markdown.ts';
import { nameText } from '../name-text.ts';
import { inline } from '../record-text.ts';
import { tool } from '../tool.ts';
import { HistoryWindow, windowOf, type Window } from '../window.ts';
import { dateOf, inForceSince, occurrences, periodOf, QUIET_NOTE, statedText } from '../written-dates.ts';

type Condition = Recorded<'condition'>;

export const getConditions = tool({
  name: 'get_conditions',
  title: 'Conditions',
  description:
    'Conditions and diagnoses: active ones whatever their date, and those recorded in the window as resolved, inactive or without a status. Social circumstances recorded as conditions are listed apart.',
  input: HistoryWindow,
  run: (deps, access, input) =>
    history(deps, access, {
      title: 'Conditions',
      plural: 'conditions',
      subject: { kind: 'condition', standing: 'current' },
      window: windowOf(deps.clock, input),
      write: conditionSections,
    }),
});

const OVER = new Set(['inactive', 'remission', 'resolved']);

type Place = 'active' | 'over' | 'unknown' | 'refuted' | 'none' | 'social';

function placeOf({ detail, current }: Condition): Place {
  if (detail.none) return 'none';
  if (detail.social) return 'social';
  if (detail.verification === 'refuted') return 'refuted';
  if (current) return 'active';
  return OVER.has(detail.clinicalStatus ?? '') ? 'over' : 'unknown';
}

function conditionSections(entries: Condition[], window: Window, quiet: Quiet): string {
  const at = Map.groupBy(entries, placeOf);
  const of = (place: Place): Condition[] => at.get(place) ?? [];
  return paragraphs(
    counted('Active', of('active'), (all) => activeTable(all, window, quiet)),
    counted('Resolved or inactive', of('over'), endedTable),
    counted('Status not told', of('unknown'), statusTable),
    counted('Ruled out', of('refuted'), endedTable),
    section('Statements', statements(of('none'))),
    counted('Social circumstances', of('social'), socialTable),
  );
}

const counted = (heading: string, entries: Condition[], write: (entries: Condition[]) => string): string =>
  entries.length === 0 ? '' : section(`${heading} (${entries.length})`, write(entries));

function activeTable(entries: Condition[], window: Window, quiet: Quiet): string {
  const fact = (entry: Condition): Fact => ({
    cells: [
      nameText(entry.title),
      `${dateOf(entry)}${inForceSince(entry, window, quiet.get(entry.groupKey))}`,
      conditionDetails(entry),
    ],
    entries: [entry],
  });
  return paragraphs(
    factTable(['Condition', 'Since', 'Details'], entries.map(fact)),
    entries.some(({ groupKey }) => quiet.has(groupKey)) ? QUIET_NOTE : null,
  );
}

function endedTable(entries: Condition[]): string {
  const fact = (entry: Condition): Fact => ({
    cells: [
      nameText(entry.title),
      periodOf(entry),
      entry.detail.clinicalStatus === 'resolved' ? '' : inline(entry.detail.clinicalStatus),
      conditionDetails(entry),
    ],
    entries: [entry],
  });
  return factTable(['Condition', 'When', 'Status', 'Details'], entries.map(fact));
}

function statusTable(entries: Condition[]): string {
  const fact = (entry: Condition): Fact => ({
    cells: [
      nameText(entry.title),
      periodOf(entry),
      inline(entry.detail.clinicalStatus),
      conditionDetails(entry),
    ],
    entries: [entry],
  });
  return factTable(['Condition', 'When', 'Status as written', 'Details'], entries.map(fact));
}

/** Asked at every visit and answered alike: one row for each answer. */
function socialTable(entries: Condition[]): string {
  const alike = Map.groupBy(entries, ({ groupKey, detail }) => `${groupKey} ${detail.clinicalStatus}`);
  const fact = (same: Condition[]): Fact => ({
    cells: [
      nameText(same[0]?.title ?? ''),
      inline(same[0]?.detail.clinicalStatus ?? 'status not told'),
      occurrences(same, 'record'),
    ],
    entries: same,
  });
  return factTable(['Circumstance', 'Status', 'When'], [...alike.values()].map(fact));
}

function statements(entries: Condition[]): string {
  const fact = (entry: Condition): Fact => ({
    cells: [statedText(nameText(entry.title), entry)],
    entries: [entry],
  });
  return entries.length === 0 ? '' : factTable(['Statement'], entries.map(fact));
}

/** What a reader must know beyond name and date: doubt, severity, words instead of dates, remarks. */
export function conditionDetails({
  detail,
  current,
  endText,
}: Pick<Condition, 'detail' | 'current' | 'endText'>): string {
  const { verification, clinicalStatus } = detail;
  const status = clinicalStatus === 'recurrence' || clinicalStatus === 'relapse' ? clinicalStatus : null;
  return listed([
    status,
    verification !== null && verification !== 'confirmed' && inline(verification),
    // Nobody closed it: the record contradicts itself.
    current && endText !== null && `recorded as ended ${endText}`,
    detail.severity !== null && nameText(detail.severity),
    detail.onset !== null && `onset: ${inline(detail.onset)}`,
    detail.abatement !== null && `ended: ${inline(detail.abatement)}`,
    detail.note !== null && inline(detail.note),
  ]);
}
