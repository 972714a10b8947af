import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildHistory, type StaleGroups } from '../render/history.ts';
import { renderFactTable, join, joinParagraphs, renderSection, type Fact } from '../render/markdown.ts';
import { formatName } from '../render/name-text.ts';
import { escapeInline } from '../render/escape-markdown.ts';
import { defineTool } from './tool.ts';
import { HistoryWindow, resolveWindow, type Window } from '../render/window.ts';
import {
  formatDate,
  formatInForceNote,
  formatOccurrences,
  formatPeriod,
  STALE_NOTE,
  formatStatement,
} from '../render/date-text.ts';

type Condition = StoredEntry<'condition'>;

export const getConditions = defineTool({
  name: 'get_conditions',
  title: 'Conditions',
  description:
    'Conditions and diagnoses: active ones whatever their date, and those recorded in the window as resolved, inactive or without a status. Social circumstances recorded as conditions are listed apart.',
  input: HistoryWindow,
  run: (deps, access, input) =>
    buildHistory(deps, access, {
      title: 'Conditions',
      plural: 'conditions',
      subject: { kind: 'condition', alwaysShown: 'current' },
      window: resolveWindow(deps.clock, input),
      render: renderConditionSections,
    }),
});

const ENDED_STATUSES = new Set(['inactive', 'remission', 'resolved']);

type ConditionGroup = 'active' | 'over' | 'unknown' | 'refuted' | 'none' | 'social';

function classifyCondition({ detail, current }: Condition): ConditionGroup {
  if (detail.none) return 'none';
  if (detail.social) return 'social';
  if (detail.verification === 'refuted') return 'refuted';
  if (current) return 'active';
  return ENDED_STATUSES.has(detail.clinicalStatus ?? '') ? 'over' : 'unknown';
}

function renderConditionSections(entries: Condition[], window: Window, stale: StaleGroups): string {
  const byGroup = Map.groupBy(entries, classifyCondition);
  const getGroup = (group: ConditionGroup): Condition[] => byGroup.get(group) ?? [];
  return joinParagraphs(
    renderCountedSection('Active', getGroup('active'), (all) => renderActiveTable(all, window, stale)),
    renderCountedSection('Resolved or inactive', getGroup('over'), renderEndedTable),
    renderCountedSection('Status not told', getGroup('unknown'), renderStatusTable),
    renderCountedSection('Ruled out', getGroup('refuted'), renderEndedTable),
    renderSection('Statements', renderStatements(getGroup('none'))),
    renderCountedSection('Social circumstances', getGroup('social'), renderSocialTable),
  );
}

const renderCountedSection = (
  heading: string,
  entries: Condition[],
  render: (entries: Condition[]) => string,
): string => (entries.length === 0 ? '' : renderSection(`${heading} (${entries.length})`, render(entries)));

function renderActiveTable(entries: Condition[], window: Window, stale: StaleGroups): string {
  const toFact = (entry: Condition): Fact => ({
    cells: [
      formatName(entry.title),
      `${formatDate(entry)}${formatInForceNote(entry, window, stale.get(entry.groupKey))}`,
      renderConditionDetails(entry),
    ],
    entries: [entry],
  });
  return joinParagraphs(
    renderFactTable(['Condition', 'Since', 'Details'], entries.map(toFact)),
    entries.some(({ groupKey }) => stale.has(groupKey)) ? STALE_NOTE : null,
  );
}

function renderEndedTable(entries: Condition[]): string {
  const toFact = (entry: Condition): Fact => ({
    cells: [
      formatName(entry.title),
      formatPeriod(entry),
      entry.detail.clinicalStatus === 'resolved' ? '' : escapeInline(entry.detail.clinicalStatus),
      renderConditionDetails(entry),
    ],
    entries: [entry],
  });
  return renderFactTable(['Condition', 'When', 'Status', 'Details'], entries.map(toFact));
}

function renderStatusTable(entries: Condition[]): string {
  const toFact = (entry: Condition): Fact => ({
    cells: [
      formatName(entry.title),
      formatPeriod(entry),
      escapeInline(entry.detail.clinicalStatus),
      renderConditionDetails(entry),
    ],
    entries: [entry],
  });
  return renderFactTable(['Condition', 'When', 'Status as written', 'Details'], entries.map(toFact));
}

/** Asked at every visit and answered alike: one row for each answer. */
function renderSocialTable(entries: Condition[]): string {
  const alike = Map.groupBy(entries, ({ groupKey, detail }) => `${groupKey} ${detail.clinicalStatus}`);
  const toFact = (same: Condition[]): Fact => ({
    cells: [
      formatName(same[0]?.title ?? ''),
      escapeInline(same[0]?.detail.clinicalStatus ?? 'status not told'),
      formatOccurrences(same, 'record'),
    ],
    entries: same,
  });
  return renderFactTable(['Circumstance', 'Status', 'When'], [...alike.values()].map(toFact));
}

function renderStatements(entries: Condition[]): string {
  const toFact = (entry: Condition): Fact => ({
    cells: [formatStatement(formatName(entry.title), entry)],
    entries: [entry],
  });
  return entries.length === 0 ? '' : renderFactTable(['Statement'], entries.map(toFact));
}

/** What a reader must know beyond name and date: doubt, severity, words instead of dates, remarks. */
export function renderConditionDetails({
  detail,
  current,
  endText,
}: Pick<Condition, 'detail' | 'current' | 'endText'>): string {
  const { verification, clinicalStatus } = detail;
  const status = clinicalStatus === 'recurrence' || clinicalStatus === 'relapse' ? clinicalStatus : null;
  return join([
    status,
    verification !== null && verification !== 'confirmed' && escapeInline(verification),
    // Nobody closed it: the record contradicts itself.
    current && endText !== null && `recorded as ended ${endText}`,
    detail.severity !== null && formatName(detail.severity),
    detail.onset !== null && `onset: ${escapeInline(detail.onset)}`,
    detail.abatement !== null && `ended: ${escapeInline(detail.abatement)}`,
    detail.note !== null && escapeInline(detail.note),
  ]);
}
