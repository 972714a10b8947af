import type { Measure, ObservationDetail } from '../entries/observation-detail.ts';
import { normalizeTitle, normalizeUnit, normalizeValue } from '../linkage/normalize-value.ts';
import type { StoredEntry } from '../queries/clinical.sql.ts';

/** More values of one time are no contradiction, but a series without times. */
const MAX_RIVALS = 3;

/** FHIR: the final result is still to come. */
const PROVISIONAL = new Set<string | null>(['registered', 'preliminary', 'partial']);

/**
 * Which of several measurements of one time states the value, and which others contradict it: neither the report without a value
 * of its own nor a preliminary result beside the final one, nor what only writes an equal value otherwise ("37.0 Cel").
 */
export function judgeRivals<E extends Pick<StoredEntry, 'status' | 'detail'>>(
  entry: E,
  others: readonly E[],
): { stated: E; rivals: E[] } {
  const valued = [entry, ...others].filter(statesValue);
  const settled = valued.filter(({ status }) => !PROVISIONAL.has(status));
  const [stated = entry, ...rest] = settled.length > 0 ? settled : valued;
  const rivals: E[] = [];
  for (const each of rest) if (![stated, ...rivals].some((other) => isEqual(other, each))) rivals.push(each);
  return { stated, rivals: rivals.slice(0, MAX_RIVALS) };
}

const toDetail = ({ detail }: Pick<StoredEntry, 'detail'>): ObservationDetail => detail as ObservationDetail;

function statesValue(entry: Pick<StoredEntry, 'detail'>): boolean {
  const { value, interpretation, components } = toDetail(entry);
  return value !== null || interpretation !== null || components.length > 0;
}

function isEqual(one: Pick<StoredEntry, 'detail'>, other: Pick<StoredEntry, 'detail'>): boolean {
  const [its, theirs] = [toDetail(one), toDetail(other)];
  const [parts, otherParts] = [its.components, theirs.components];
  return (
    isEqualMeasure(its, theirs) &&
    parts.length === otherParts.length &&
    parts.every((part) => otherParts.some((each) => isSamePart(part, each) && isEqualMeasure(part, each)))
  );
}

type Value = Pick<Measure, 'value' | 'unit'>;

/** Where a unit is not written, the numbers cannot be distinguished. */
function isEqualMeasure(one: Value, other: Value): boolean {
  if (normalizeValue(one.value ?? '') !== normalizeValue(other.value ?? '')) return false;
  const [its, theirs] = [normalizeUnit(one.unit), normalizeUnit(other.unit)];
  return its === theirs || its === null || theirs === null;
}

const isSamePart = (one: Measure, other: Measure): boolean =>
  one.code !== null && other.code !== null
    ? one.code === other.code
    : normalizeTitle(one.label) === normalizeTitle(other.label);
