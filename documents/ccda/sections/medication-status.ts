import type { Element } from 'slimdom';
import { getChild } from '../elements.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import type { Time } from '../times.ts';
import { getGroupedStatus } from './clinical-status.ts';
import { conceptFromValue, findRelated, STATUS } from './entry-relationships.ts';
import { getDrugCode } from './medication-names.ts';
import { findCell } from './narrative-table.ts';
import { getCodes } from './named-concepts.ts';
import { findExpiry } from './supplies.ts';

type Status = 'active' | 'completed' | 'stopped' | 'on-hold';

const BY_CODE = new Map<string, Status>([
  ['55561003', 'active'],
  ['421139008', 'stopped'], // No longer active
  ['73425007', 'stopped'], // Inactive
  ['392521001', 'stopped'], // History of
  ['385655000', 'on-hold'], // Suspended
  ['410546004', 'stopped'], // Discontinued
]);
const BY_WORD: [RegExp, Status][] = [
  [/^\W*(active|ordered|current|prescribed|in progress|taking)\b/i, 'active'],
  [/^\W*(completed?|finished)\b/i, 'completed'],
  [/^\W*(no longer active|inactive|discontinued|stopped|expired|cancell?ed|aborted)\b/i, 'stopped'],
  [/^\W*(on hold|held|suspended)\b/i, 'on-hold'],
];
const BY_ACT = new Map<string, Status>([
  ['active', 'active'],
  ['ordered', 'active'],
  ['aborted', 'stopped'],
  ['cancelled', 'stopped'],
  ['suspended', 'on-hold'],
  ['held', 'on-hold'],
]);

/**
 * Returns whether a drug is taken, from the status observation, the act or the row of the narrative. R1.1 senders write
 * "completed" whatever the drug's state (53 of 92 of the published documents, with "Active" in the row of most), so it
 * counts only with an end, or where nothing calls the drug active and its prescription has expired. Returns undefined where the
 * status is unknown.
 */
export function toMedicationStatus(
  administration: Element,
  { end, narrative }: { end: Time | undefined; narrative: NarrativeIndex },
): Status | undefined {
  const value = getChild(findRelated(administration, STATUS), 'value');
  const statedStatus =
    getCodes(value).flatMap((each) => BY_CODE.get(each) ?? [])[0] ??
    parseStatus(conceptFromValue(value, narrative)?.text);
  const mappedActStatus = BY_ACT.get(getGroupedStatus(administration) ?? '');
  if (statedStatus !== undefined || mappedActStatus !== undefined) return statedStatus ?? mappedActStatus;
  const heading = /^status$/i;
  const rowStatus = parseStatus(
    findCell(administration, heading, narrative) ?? findCell(getDrugCode(administration), heading, narrative),
  );
  const isCompleted = getGroupedStatus(administration) === 'completed';
  // "Active" in the row of a drug with an end was true only when it was written.
  if (rowStatus === 'active' && end !== undefined) return isCompleted ? 'completed' : 'active';
  const isOver = end !== undefined || (isCompleted && findExpiry(administration) !== undefined);
  return rowStatus ?? (isOver ? 'completed' : undefined);
}

function parseStatus(text: string | undefined): Status | undefined {
  return BY_WORD.find(([words]) => words.test(text ?? ''))?.[1];
}
