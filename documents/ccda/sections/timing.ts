import type { Element } from 'slimdom';
import { getAttribute, getChild, getChildren, getXsiType } from '../elements.ts';
import { toRawNumber, type FhirObject } from '../fhir-values.ts';

/** UCUM units of time that FHIR's `periodUnit` has; what senders write for them. */
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

/** v3-TimingEvent, which FHIR's `when` is made of; ICM and its kin (between meals) have no place there. */
const EVENTS = new Set('HS WAKE C CM CD CV AC ACM ACD ACV PC PCM PCD PCV'.split(' '));

/**
 * `Timing.repeat` of all `effectiveTime`s of a medication: PIVL_TS gives the period, EIVL_TS the event of the day. The
 * interval of days in which the drug is taken is not in it.
 */
export function buildRepeat(times: readonly Element[]): FhirObject | undefined {
  const repeats = times.flatMap((time) => [time, ...getChildren(time, 'comp')]).map(toRepeat);
  const known = repeats.filter((repeat) => repeat !== undefined);
  if (known.length === 0) return undefined;
  const when = known.flatMap((repeat) => (repeat['when'] ?? []) as string[]);
  return { ...Object.assign({}, ...known), ...(when.length > 0 && { when }) };
}

/** Whether the element tells how often or when in the day, rather than from when to when. */
export const isTiming = (time: Element): boolean =>
  /^(PIVL|EIVL|SXPR)/.test(getXsiType(time) ?? '') ||
  getChild(time, 'period') !== undefined ||
  getChild(time, 'event') !== undefined;

function toRepeat(time: Element): FhirObject | undefined {
  const event = getAttribute(getChild(time, 'event'), 'code');
  if (event !== undefined) return EVENTS.has(event) ? { when: [event], ...buildOffset(time) } : undefined;
  return buildPeriod(getChild(time, 'period'));
}

/** "Every 4 to 6 hours" is a period with a low and a high. */
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

/** FHIR's offset is in minutes and has no direction but the event's own. */
function buildOffset(time: Element): FhirObject {
  const offset = getChild(getChild(time, 'offset'), 'low') ?? getChild(time, 'offset');
  const raw = getAttribute(offset, 'value') ?? '';
  const minutes = { min: 1, h: 60 }[getAttribute(offset, 'unit') ?? ''];
  return /^\d{1,3}$/.test(raw) && minutes !== undefined ? { offset: Number(raw) * minutes } : {};
}
