import type { GroupInForce, StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { formatInForce, renderDeathNote } from '../render/death-text.ts';
import { buildHistory } from '../render/history.ts';
import { groupListed, type Listing } from '../render/listing.ts';
import { CONDITION_NOUN, getConditionKey, renderConditionDetails } from '../render/conditions.ts';
import {
  buildFactTable,
  join,
  renderCountedSection,
  renderSection,
  type Block,
  type Fact,
} from '../render/markdown.ts';
import { renderStatementTable } from '../render/statements.ts';
import { formatName } from '../render/name-text.ts';
import { mayBeOneSite } from '../render/ruled-out.ts';
import { formatClinicalStatus } from '../render/status-text.ts';
import { escapeValue } from '../render/escape-markdown.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow, type Window } from '../render/window.ts';
import {
  formatDate,
  formatDenial,
  formatInForceNote,
  formatOccurrences,
  formatPeriod,
  STALE_NOTE,
  WINDOW_NOTE,
} from '../render/date-text.ts';

type Condition = StoredEntry<'condition'>;

export const getConditions = defineTool({
  name: 'get_conditions',
  title: 'Conditions',
  description:
    'Conditions and diagnoses: active ones whatever their date; resolved, inactive and those without a status of the window. Social circumstances apart.',
  input: HistoryWindow,
  isKept: true,
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
  if (detail.verification === 'refuted') return 'refuted';
  if (detail.social) return 'social';
  if (current) return 'active';
  return ENDED_STATUSES.has(detail.clinicalStatus ?? '') ? 'over' : 'unknown';
}

/** Several records of a condition are rows of their own here, and one row of the summary. */
const THINGS = { noun: CONDITION_NOUN, getKey: getConditionKey };

function renderConditionSections(entries: Condition[], listing: Listing<'condition'>): Block {
  const getGroup = groupListed(entries, listing.omitted, classifyCondition);
  const stated = getGroup('none').items;
  return [
    renderCountedSection(formatInForce('Active', listing.inForce.death), getGroup('active', THINGS), (all) =>
      renderActiveTable(all, listing),
    ),
    renderCountedSection('Resolved or inactive', getGroup('over', THINGS), (all) =>
      renderEndedTable(all, listing.window),
    ),
    renderCountedSection('Status not recorded', getGroup('unknown', THINGS), (all) =>
      renderStatusTable(all, listing.window),
    ),
    renderCountedSection('Ruled out', getGroup('refuted', THINGS), (all) =>
      renderEndedTable(all, listing.window),
    ),
    stated.length === 0
      ? null
      : renderSection(
          'Statements',
          renderStatementTable(stated, ({ detail }) => join([formatClinicalStatus(detail), detail.note])),
        ),
    renderCountedSection('Social circumstances', getGroup('social'), renderSocialTable),
  ];
}

function renderActiveTable(
  entries: readonly Condition[],
  { window, inForce: { stale, death, groups } }: Listing<'condition'>,
): Block {
  const toFact = (entry: Condition): Fact => ({
    cells: [
      formatName(entry.title),
      `${formatDate(entry)}${formatInForceNote(entry, window, stale.get(entry.groupKey))}`,
      join([
        formatDenial('ruled out', findDenials(entry, groups.get(entry.groupKey))),
        renderConditionDetails(entry, window.today),
      ]),
    ],
    entries: [entry],
  });
  return [
    buildFactTable(['Condition', 'Since', 'Details'], entries.map(toFact)),
    renderDeathNote(death),
    entries.some(({ day }) => day !== null && day < window.from) ? WINDOW_NOTE : null,
    entries.some(({ groupKey }) => stale.has(groupKey)) ? STALE_NOTE : null,
  ];
}

/** What rules out a condition, or the same of no part of the body that is named. */
function findDenials({ detail }: Condition, group: GroupInForce | undefined) {
  const denials = (group?.deniedSites ?? []).filter(({ site }) =>
    mayBeOneSite(site, detail.bodySite ?? null),
  );
  return { denials: denials.length, lastDenial: denials.findLast(({ day }) => day !== null)?.day ?? null };
}

function renderEndedTable(entries: readonly Condition[], { today }: Window): Block {
  const toFact = (entry: Condition): Fact => ({
    cells: [
      formatName(entry.title),
      formatPeriod(entry),
      entry.detail.clinicalStatus === 'resolved' ? '' : escapeValue(entry.detail.clinicalStatus),
      renderConditionDetails(entry, today),
    ],
    entries: [entry],
  });
  return buildFactTable(['Condition', 'When', 'Status', 'Details'], entries.map(toFact));
}

function renderStatusTable(entries: readonly Condition[], { today }: Window): Block {
  const toFact = (entry: Condition): Fact => ({
    cells: [
      formatName(entry.title),
      formatPeriod(entry),
      escapeValue(entry.detail.clinicalStatus),
      renderConditionDetails(entry, today),
    ],
    entries: [entry],
  });
  return buildFactTable(['Condition', 'When', 'Status as written', 'Details'], entries.map(toFact));
}

/** The same question is asked at every visit: equal answers are one row. */
function renderSocialTable(entries: readonly Condition[]): Block {
  const alike = Map.groupBy(entries, ({ groupKey, detail }) => `${groupKey} ${formatClinicalStatus(detail)}`);
  const toFact = (same: Condition[]): Fact => ({
    cells: [
      formatName(same[0]?.title ?? ''),
      formatClinicalStatus((same[0] as Condition).detail),
      formatOccurrences(same, 'record'),
    ],
    entries: same,
  });
  return buildFactTable(['Circumstance', 'Status', 'When'], [...alike.values()].map(toFact));
}
