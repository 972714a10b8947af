import type { Element } from 'slimdom';
import { attribute, child } from '../elements.ts';
import type { NarrativePlaces } from '../narrative-places.ts';
import { conceptOfValue, related, relatedObservations, STATUS } from './entry-parts.ts';
import { cellBeside } from './narrative-row.ts';
import { codesOf } from './own-words.ts';

/** SNOMED CT codes of the status value sets of C-CDA R1.1 and R2.1. */
const BY_CODE = new Map([
  ['55561003', 'active'],
  ['73425007', 'inactive'],
  ['421139008', 'inactive'], // No longer active, of a medication list
  ['413322009', 'resolved'],
  ['255227004', 'recurrence'],
  ['263855007', 'relapse'],
  ['277022003', 'remission'],
]);
const BY_WORD = /^\W*(active|inactive|resolved|recurrence|relapse|remission)\b/i;

/** Status of a problem or an allergy as a status observation, or the row of the narrative, tells it. */
export function toldStatus(observation: Element, narrative: NarrativePlaces): string | undefined {
  const told = related(observation, STATUS);
  const value = child(told, 'value');
  // The sample many vendors started from tells "Resolved" as the health status.
  const others = relatedObservations(observation).map((one) => child(one, 'value'));
  const coded = [value, ...others].flatMap(codesOf).flatMap((code) => BY_CODE.get(code) ?? [])[0];
  if (coded !== undefined) return coded;
  return (
    inWords(conceptOfValue(value, narrative)?.text) ??
    inWords(cellBeside(observation, /^(problem )?status$/i, narrative))
  );
}

/** Status of the concern that a problem or an allergy is tracked under: told only where a sender keeps it. */
export function concernStatus(concern: Element | undefined): string | undefined {
  const code = attribute(child(concern, 'statusCode'), 'code');
  if (code === 'active') return 'active';
  return code === 'completed' || code === 'aborted' || code === 'suspended' ? 'inactive' : undefined;
}

export const isNullified = (...acts: readonly (Element | undefined)[]): boolean =>
  acts.some((act) => attribute(child(act, 'statusCode'), 'code') === 'nullified');

const inWords = (text: string | undefined): string | undefined =>
  BY_WORD.exec(text ?? '')?.[1]?.toLowerCase();
