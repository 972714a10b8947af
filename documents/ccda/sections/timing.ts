import type { Element } from 'slimdom';
import { getAttribute, getChild, getChildren, getXsiType } from '../elements.ts';
import { toRawNumber, type FhirObject } from '../fhir-values.ts';

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

/** Codes of v3-TimingEvent that FHIR's `when` has; it lacks ICM and others (between meals). */
const EVENTS = new Set('HS WAKE C CM CD CV AC ACM ACD ACV PC PCM PCD PCV'.split(' '));

/**
 * Builds `Timing.repeat` from all `effectiveTime`s of a medication: PIVL_TS gives the period, EIVL_TS the event of the
 * day. The interval of days in which the drug is taken is not part of it.
 */
export function buildRepeat(times: readonly Element[]): FhirObject | undefined {
  const repeats = times.flatMap((time) => [time, ...getChildren(time, 'comp')]).map(toRepeat);
  const known = repeats.filter((repeat) => repeat !== undefined);
  if (known.length === 0) return undefined;
  const when = known.flatMap((repeat) => (repeat['when'] ?? []) as string[]);
  return { ...Object.assign({}, ...known), ...(when.length > 0 && { when }) };
}

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
