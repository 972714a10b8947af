import type { Element } from 'slimdom';
import { getAttribute, getChild, isNegated } from '../elements.ts';
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
  const code = getActStatus(concern);
  if (code === 'active') return 'active';
  return code === 'completed' || code === 'aborted' || code === 'suspended' ? 'inactive' : undefined;
}

/** Says whether a statement was entered in error, or one that it stands in: a panel, the concern of a problem. */
export const isNullified = (statement: Element): boolean =>
  listStatements(statement).some((each) => getActStatus(each) === 'nullified');

export const getActStatus = (act: Element | undefined): string | undefined =>
  getAttribute(getChild(act, 'statusCode'), 'code');

/** Returns the status of a statement, or that of a group it stands in where this was aborted or cancelled. */
export const getGroupedStatus = (statement: Element): string | undefined =>
  listStatements(statement)
    .map(getActStatus)
    .find((status) => /^(nullified|aborted|cancelled)$/.test(status ?? '')) ?? getActStatus(statement);

/** Lists a statement and those of its entry that it stands in. */
export function listStatements(statement: Element): Element[] {
  const found: Element[] = [];
  for (let next: Element | null = statement; next !== null; next = next.parentElement) {
    if (next.localName === 'entry' || next.localName === 'section') break;
    if (!/^(component|entryRelationship)$/.test(next.localName)) found.push(next);
  }
  return found;
}

const parseStatus = (text: string | undefined): string | undefined =>
  BY_WORD.exec(text ?? '')?.[1]?.toLowerCase();

/** Says whether a statement is negated, by itself or by the act around it: a negated concern denies its problem. */
export const isDenied = (statement: Element): boolean =>
  isNegated(statement) ||
  listStatements(statement).some((each) => each.localName === 'act' && isNegated(each));

/** Says whether a statement is of what shall be done or is aimed at (v3 ActMood), not of what was: that is an event. */
export const isPlanned = (statement: Element): boolean =>
  /^(INT|RQO|PRP|PRMS|ARQ|APT|GOL|SLOT)$/.test(getAttribute(statement, 'moodCode') ?? '');
