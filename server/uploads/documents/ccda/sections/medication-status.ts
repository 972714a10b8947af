import type { Element } from 'slimdom';
import { attribute, child } from '../elements.ts';
import type { NarrativePlaces } from '../narrative-places.ts';
import { conceptOfValue, related, STATUS } from './entry-parts.ts';
import { cellBeside } from './narrative-row.ts';
import { codesOf } from './own-words.ts';

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
 * Whether a drug is taken, as status observation, act or the row of the narrative tell it. "completed" is what R1.1
 * senders write whatever the drug's state (53 of 92 of the published documents, with "Active" in the row of most), so it
 * counts only with an end; undefined where nothing tells.
 */
export function medicationStatus(
  administration: Element,
  {
    code,
    end,
    narrative,
  }: { code: Element | undefined; end: string | undefined; narrative: NarrativePlaces },
): Status | undefined {
  const value = child(related(administration, STATUS), 'value');
  const told =
    codesOf(value).flatMap((each) => BY_CODE.get(each) ?? [])[0] ??
    inWords(conceptOfValue(value, narrative)?.text);
  const ofAct = BY_ACT.get(actStatus(administration) ?? '');
  if (told !== undefined || ofAct !== undefined) return told ?? ofAct;
  const heading = /^status$/i;
  const inRow = inWords(
    cellBeside(administration, heading, narrative) ?? cellBeside(code, heading, narrative),
  );
  // A row that says "Active" of a drug that ended was true when it was written, and is not more than that.
  if (inRow === 'active' && end !== undefined)
    return actStatus(administration) === 'completed' ? 'completed' : 'active';
  return inRow ?? (end === undefined ? undefined : 'completed');
}

export const actStatus = (administration: Element): string | undefined =>
  attribute(child(administration, 'statusCode'), 'code');

function inWords(text: string | undefined): Status | undefined {
  return BY_WORD.find(([words]) => words.test(text ?? ''))?.[1];
}
