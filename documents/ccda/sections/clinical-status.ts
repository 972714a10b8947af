import type { Element } from 'slimdom';
import { getAttribute, getChild } from '../elements.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { conceptFromValue, findRelated, getRelatedObservations, STATUS } from './entry-relationships.ts';
import { findCell } from './narrative-table.ts';
import { getCodes } from './named-concepts.ts';

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

/** Returns the status of a problem or an allergy from its status observation, or from the row of the narrative. */
export function getStatedStatus(observation: Element, narrative: NarrativeIndex): string | undefined {
  const statusObservation = findRelated(observation, STATUS);
  const value = getChild(statusObservation, 'value');
  // The sample that many vendors started from has "Resolved" as the health status.
  const others = getRelatedObservations(observation).map((one) => getChild(one, 'value'));
  const coded = [value, ...others].flatMap(getCodes).flatMap((code) => BY_CODE.get(code) ?? [])[0];
  if (coded !== undefined) return coded;
  return (
    parseStatus(conceptFromValue(value, narrative)?.text) ??
    parseStatus(findCell(observation, /^(problem )?status$/i, narrative))
  );
}

/** Returns the status of the concern act of a problem or an allergy, which few senders maintain. */
export function getConcernStatus(concern: Element | undefined): string | undefined {
  const code = getAttribute(getChild(concern, 'statusCode'), 'code');
  if (code === 'active') return 'active';
  return code === 'completed' || code === 'aborted' || code === 'suspended' ? 'inactive' : undefined;
}

export const isNullified = (...acts: readonly (Element | undefined)[]): boolean =>
  acts.some((act) => getAttribute(getChild(act, 'statusCode'), 'code') === 'nullified');

const parseStatus = (text: string | undefined): string | undefined =>
  BY_WORD.exec(text ?? '')?.[1]?.toLowerCase();
