import { findPressures, isHalf, pairHalves, type Paired } from '../../../clinical/entries/blood-pressure.ts';
import type { DataMask } from '../../../../contract/brands.ts';
import { VITAL_NAMES } from '../../../clinical/entries/entry.ts';
import { isModified, MODIFIED_WORDS } from '../../../clinical/entries/modifiers.ts';
import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { MAX_GROUPS, type LatestVital } from '../../../clinical/queries/summary.sql.ts';
import { formatDate, formatDateTime, STALE_YEARS } from './date-text.ts';
import { escapeValue } from './escape-markdown.ts';
import { formatNumber } from './format-number.ts';
import { buildFactTable, join, type Fact, type Block } from './markdown.ts';
import { formatConditions, formatVital, sortCompleteFirst } from './measure-text.ts';
import { formatReference } from './reference-text.ts';
import { formatStatusRemark } from './observation-status.ts';
import { subtractYears } from './window.ts';
import { renderNoneRecorded } from './withheld-text.ts';

/** Rows of each section that still make one readable page. */
export const LIMITS = { active: 20, over: 5, current: 25, past: 8, allergies: 25 };

export interface SummaryContext {
  today: string;
  /** Entries last recorded before this day are stale. */
  staleBefore: string;
  /** The mask of labels that the consent withholds. */
  withheld: DataMask;
  /** "died on 2024-03-03"; null of the living. */
  death: string | null;
}

export function createSummaryContext(now: Date, withheld: DataMask, death: string | null): SummaryContext {
  const today = now.toISOString().slice(0, 10);
  // Of the dead nothing is stale: it is over.
  const staleBefore = death === null ? subtractYears(today, STALE_YEARS) : '';
  return { today, staleBefore, withheld, death };
}

/** "and 14 more, see get_conditions" */
export const renderRest = (all: number, shown: number, tool: string): string | null =>
  all > shown ? `… and ${formatNumber(all - shown)} more, see \`${tool}\`.` : null;

export const renderGroupLimit = (groups: readonly unknown[]): string | null =>
  groups.length < MAX_GROUPS ? null : `Only the first ${formatNumber(MAX_GROUPS)} groups were counted here.`;

/**
 * How it was measured, its status where that is unusual, and that nobody knows what it says: the row is not named by its title,
 * but a pressure alone is.
 */
const formatVitalRemark = (vital: LatestVital): string =>
  join([
    formatConditions(vital, isHalf(vital) ? vital.title : (vital.detail.vital ?? vital.title)),
    formatStatusRemark(vital),
    isModified(vital) && MODIFIED_WORDS,
  ]);

type Average = StoredEntry<'vital'>;

/** "; newer average: 168/104 mmHg (2026-08-03, Observation/b)": the latest reading may be years older. */
function formatNewerAverages(averages: readonly Average[]): string {
  const [first, second] = averages;
  if (first === undefined) return '';
  const isHalf = first.detail.components.length === 0;
  const shown = isHalf && second?.dayText === first.dayText ? [first, second] : [first];
  return shown
    .map((each) => `; newer ${formatVital(each)} (${formatDate(each)}, ${formatReference(each)})`)
    .join('');
}

/** The values of one sign, the latest first. */
type ShownVitals = readonly [latest: Paired<LatestVital>, ...before: Paired<LatestVital>[]];

const MAX_VALUES = 3;

/**
 * Picks three measurements of each vital sign, newest first; within a day, complete ones before partial ones. A pressure
 * alone is no earlier value of both, nor of the other.
 */
export const pickVitals = (vitals: readonly LatestVital[]): ShownVitals[] => {
  const byName = Map.groupBy(vitals, ({ detail }) => detail.vital);
  return VITAL_NAMES.flatMap((name): ShownVitals[] => {
    const [latest, ...previous] = sortCompleteFirst(pairHalves(byName.get(name) ?? []));
    if (latest === undefined) return [];
    const before = previous.filter((each) => !isHalf(each) || (isHalf(latest) && each.code === latest.code));
    return [[latest, ...before.slice(0, MAX_VALUES - 1)]];
  });
};

/** Renders the last measurements of each vital sign. Newer averages are named beside the latest reading. */
export function renderVitals(
  signs: readonly ShownVitals[],
  averages: readonly Average[],
  { withheld }: SummaryContext,
): Block {
  const facts = signs.map(([latest, ...previous]): Fact => {
    const name = latest.detail.vital ?? '';
    const written = latest.detail.unit ?? findPressures(latest.detail)?.systolic.unit ?? null;
    const unit = written === null ? '' : ` ${escapeValue(written)}`;
    // The unit stands beside the latest value.
    const earlier = previous.map((each) => {
      const text = formatVital(each);
      const value = unit !== '' && text.endsWith(unit) ? text.slice(0, -unit.length) : text;
      return `${value} (${join([formatDate(each), formatVitalRemark(each)])})`;
    });
    const remark = formatVitalRemark(latest);
    const value = remark === '' ? formatVital(latest) : `${formatVital(latest)} (${remark})`;
    const newer = formatNewerAverages(averages.filter(({ detail }) => detail.vital === name));
    const cells = [name, `${value}${newer}`, formatDateTime(latest), earlier.join(', ')];
    return { cells, entries: latest.halves ?? [latest] };
  });
  return facts.length === 0
    ? renderNoneRecorded(withheld, 'CLINICAL_VITALS')
    : buildFactTable(['Vital sign', 'Latest', 'Date', 'Before'], facts);
}
