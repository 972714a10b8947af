import type { Element } from 'slimdom';
import { attribute, child, children, typeOf } from '../elements.ts';
import { numberAsWritten, type FhirObject } from '../fhir-values.ts';

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
  ).map(([written, unit]) => [written, unit] as const),
]);

/** v3-TimingEvent, which FHIR's `when` is made of; ICM and its kin (between meals) have no place there. */
const EVENTS = new Set('HS WAKE C CM CD CV AC ACM ACD ACV PC PCM PCD PCV'.split(' '));

/**
 * `Timing.repeat` of all `effectiveTime`s of a medication: PIVL_TS gives the period, EIVL_TS the event of the day. The
 * interval of days in which the drug is taken is not in it.
 */
export function repeatOf(times: readonly Element[]): FhirObject | undefined {
  const repeats = times.flatMap((time) => [time, ...children(time, 'comp')]).map(oneRepeat);
  const known = repeats.filter((repeat) => repeat !== undefined);
  if (known.length === 0) return undefined;
  const when = known.flatMap((repeat) => (repeat['when'] ?? []) as string[]);
  return { ...Object.assign({}, ...known), ...(when.length > 0 && { when }) };
}

/** Whether the element tells how often or when in the day, rather than from when to when. */
export const tellsTiming = (time: Element): boolean =>
  /^(PIVL|EIVL|SXPR)/.test(typeOf(time) ?? '') ||
  child(time, 'period') !== undefined ||
  child(time, 'event') !== undefined;

function oneRepeat(time: Element): FhirObject | undefined {
  const event = attribute(child(time, 'event'), 'code');
  if (event !== undefined) return EVENTS.has(event) ? { when: [event], ...offsetOf(time) } : undefined;
  return periodOf(child(time, 'period'));
}

/** "Every 4 to 6 hours" is a period with a low and a high. */
function periodOf(period: Element | undefined): FhirObject | undefined {
  const low = child(period, 'low') ?? period;
  const high = child(period, 'high');
  const [shortest, longest] = [
    numberAsWritten(attribute(low, 'value')),
    numberAsWritten(attribute(high, 'value')),
  ];
  const periodUnit = UNITS.get(attribute(low, 'unit') ?? attribute(high, 'unit') ?? '');
  if (periodUnit === undefined) return undefined;
  if (shortest === undefined && longest === undefined) return undefined;
  const one = shortest ?? longest;
  return { frequency: 1, period: one, ...(shortest && longest && { periodMax: longest }), periodUnit };
}

/** FHIR's offset is in minutes and has no direction but the event's own. */
function offsetOf(time: Element): FhirObject {
  const offset = child(child(time, 'offset'), 'low') ?? child(time, 'offset');
  const written = attribute(offset, 'value') ?? '';
  const minutes = { min: 1, h: 60 }[attribute(offset, 'unit') ?? ''];
  return /^\d{1,3}$/.test(written) && minutes !== undefined ? { offset: Number(written) * minutes } : {};
}
