import type { Element } from 'slimdom';
import { getAttribute, getChild, getChildren, getXsiType } from '../elements.ts';
import { isRawNumber, toRawNumber, type CodeableConcept, type FhirObject } from '../fhir-values.ts';
import { formatParts } from './value-text.ts';

/** UCUM units of time that FHIR's `periodUnit` has, and what senders write for them. */
const UNITS = new Map([
  ...['s', 'min', 'h', 'd', 'wk', 'mo', 'a'].map((unit) => [unit, unit] as const),
  ...(
    [
      ['hr', 'h'],
      ['hour', 'h'],
      ['hours', 'h'],
      ['day', 'd'],
      ['days', 'd'],
      ['week', 'wk'],
      ['weeks', 'wk'],
      ['month', 'mo'],
      ['months', 'mo'],
      ['y', 'a'],
      ['yr', 'a'],
      ['year', 'a'],
    ] as const
  ).map(([name, unit]) => [name, unit] as const),
]);

const NAMES = new Map([
  ['s', 'second'],
  ['min', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['wk', 'week'],
  ['mo', 'month'],
  ['a', 'year'],
]);

/** Codes of v3-TimingEvent that FHIR's `when` has; it lacks ICM and others (between meals). */
const EVENTS = new Set('HS WAKE C CM CD CV AC ACM ACD ACV PC PCM PCD PCV'.split(' '));

/**
 * Builds `Timing` from all `effectiveTime`s of a medication: PIVL_TS gives the period, EIVL_TS the event of the day. The
 * interval of days in which the drug is taken is not part of it. One `repeat` cannot hold two periods ("every 12 hours" and
 * "every week"), nor what FHIR has no code for: then all of them become text, since some alone would be another dose.
 */
export function buildTiming(times: readonly Element[]): { code?: CodeableConcept; repeat?: FhirObject } {
  const leaves = times.flatMap(listLeaves).filter((time) => formatLeaf(time) !== undefined);
  const repeats = leaves.map(toRepeat).filter((repeat) => repeat !== undefined);
  if (repeats.length === leaves.length && areCompatible(repeats)) {
    const when = [...new Set(repeats.flatMap((repeat) => (repeat['when'] ?? []) as string[]))];
    return { repeat: { ...Object.assign({}, ...repeats), ...(when.length > 0 && { when }) } };
  }
  return { code: { text: [...new Set(leaves.map(formatLeaf))].join(', and ') } };
}

/** Lists the timings that an element holds: an SXPR_TS is an expression of several. */
const listLeaves = (time: Element): Element[] => {
  const parts = getChildren(time, 'comp');
  return parts.length === 0 ? [time] : parts.flatMap(listLeaves).filter(isTiming);
};

/** Whether no element but `when`, of which there may be many, has two values; an offset is that of all events or of none. */
const areCompatible = (repeats: readonly FhirObject[]): boolean => {
  const written = new Map<string, string>();
  return repeats.every((repeat) =>
    Object.entries('when' in repeat ? { offset: '', ...repeat } : repeat).every(([name, value]) => {
      const text = JSON.stringify(value);
      const isSame = name === 'when' || (written.get(name) ?? text) === text;
      written.set(name, text);
      return isSame;
    }),
  );
};

/** Says whether the element is a frequency or a time of day, rather than an interval of days. */
export const isTiming = (time: Element): boolean =>
  /^(PIVL|EIVL|SXPR)/.test(getXsiType(time) ?? '') ||
  getChild(time, 'period') !== undefined ||
  getChild(time, 'event') !== undefined;

function toRepeat(time: Element): FhirObject | undefined {
  const event = getAttribute(getChild(time, 'event'), 'code');
  if (event !== undefined) return EVENTS.has(event) ? { when: [event], ...buildOffset(time) } : undefined;
  return buildPeriod(getChild(time, 'period'));
}

/** Formats one timing: "every 12 hours", "before meals, offset 30 min"; undefined for one that says nothing. */
function formatLeaf(time: Element): string | undefined {
  const { period, periodMax, periodUnit, when } = toRepeat(time) ?? {};
  const isPlain = getChild(time, 'phase') === undefined && when === undefined;
  if (!isPlain || !isRawNumber(period)) return formatParts(time);
  const name = NAMES.get(periodUnit as string) ?? '';
  if (isRawNumber(periodMax)) return `every ${period.rawJSON} to ${periodMax.rawJSON} ${name}s`;
  return Number(period.rawJSON) === 1 ? `every ${name}` : `every ${period.rawJSON} ${name}s`;
}

/** Builds a period; "every 4 to 6 hours" has a low and a high. */
function buildPeriod(period: Element | undefined): FhirObject | undefined {
  const low = getChild(period, 'low') ?? period;
  const high = getChild(period, 'high');
  const [shortest, longest] = [
    toRawNumber(getAttribute(low, 'value')),
    toRawNumber(getAttribute(high, 'value')),
  ];
  const periodUnit = UNITS.get(getAttribute(low, 'unit') ?? getAttribute(high, 'unit') ?? '');
  if (periodUnit === undefined) return undefined;
  if (shortest === undefined && longest === undefined) return undefined;
  const one = shortest ?? longest;
  return { frequency: 1, period: one, ...(shortest && longest && { periodMax: longest }), periodUnit };
}

/** Builds the offset, which in FHIR is in minutes and has the direction of its event. */
function buildOffset(time: Element): FhirObject {
  const offset = getChild(getChild(time, 'offset'), 'low') ?? getChild(time, 'offset');
  const raw = getAttribute(offset, 'value') ?? '';
  const minutes = { min: 1, h: 60 }[getAttribute(offset, 'unit') ?? ''];
  return /^\d{1,3}$/.test(raw) && minutes !== undefined ? { offset: Number(raw) * minutes } : {};
}
