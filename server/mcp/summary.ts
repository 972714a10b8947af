import { VITAL_NAMES, type Kind } from '../records/entry.ts';
import type { RecordHead } from '../records/record-state.sql.ts';
import { MOST_GROUPS, type Group, type Holding, type LatestVital } from '../records/summary.sql.ts';
import { silenceText } from './history.ts';
import { counted, factTable, listed, paragraphs, type Fact } from './markdown.ts';
import { isWhole, vitalText } from './measure-text.ts';
import { nameText } from './name-text.ts';
import { inline } from './record-text.ts';
import { allergyTable, SILENCE, statementTable } from './tools/get-allergies.ts';
import { conditionDetails } from './tools/get-conditions.ts';
import {
  dateOf,
  momentOf,
  periodOf,
  QUIET_NOTE,
  QUIET_YEARS,
  quietText,
  severalTimes,
  statedText,
} from './written-dates.ts';
import { yearsBefore } from './window.ts';
import { noneRecorded, recorded } from './withheld-text.ts';

/** What a page of each can hold and still be read. */
export const MOST = { active: 20, over: 5, current: 25, past: 8, allergies: 25 };

export interface Day {
  today: string;
  /** What was last noted before is quiet. */
  quietBefore: string;
  /** What the consent leaves out. */
  withheld: number;
}

export function dayOf(now: Date, withheld: number): Day {
  const today = now.toISOString().slice(0, 10);
  return { today, quietBefore: yearsBefore(today, QUIET_YEARS), withheld };
}

/** "and 14 more, see get_conditions" */
export const rest = (all: number, shown: number, tool: string): string | null =>
  all > shown ? `… and ${all - shown} more, see \`${tool}\`.` : null;

export const limitText = (groups: readonly unknown[]): string | null =>
  groups.length < MOST_GROUPS ? null : `Only the first ${MOST_GROUPS} groups were counted here.`;

export function overviewText(held: readonly Holding[], head: RecordHead | null): string {
  const days = held.flatMap(({ firstDay, lastDay }) => [firstDay ?? [], lastDay ?? []].flat()).sort();
  const times = held.reduce((sum, { entries }) => sum + entries, 0);
  const undated = held.reduce((sum, { undated }) => sum + undated, 0);
  const spread = { times, dated: times - undated, firstDay: days[0] ?? null, lastDay: days.at(-1) ?? null };
  const synchronized = head?.lastSynchronizedAt
    ? `last synchronized ${head.lastSynchronizedAt.slice(0, 10)}`
    : null;
  return `${listed([severalTimes([counted(times, 'entry', 'entries')], spread), synchronized])}.`;
}

export function conditionsText(
  groups: readonly Group<'condition'>[],
  { quietBefore, withheld }: Day,
): string {
  const illnesses = groups.filter(
    ({ detail }) => !detail.none && !detail.social && detail.verification !== 'refuted',
  );
  const active = illnesses.filter(({ current }) => current);
  const others = illnesses.filter(({ current }) => !current);
  const said = statedList(groups.filter(({ detail }) => detail.none));
  const social = groups.filter(({ detail }) => detail.social).length;
  if (illnesses.length === 0)
    return paragraphs(said ?? noneRecorded(withheld, 'DIAGNOSES'), socialText(social), limitText(groups));
  const shown = active.slice(0, MOST.active);
  const isQuiet = ({ lastDay }: Group): boolean => lastDay !== null && lastDay < quietBefore;
  return paragraphs(
    said,
    active.length === 0 ? `No active conditions ${recorded(withheld)}.` : `Active (${active.length}):`,
    active.length === 0
      ? null
      : factTable(
          ['Condition', 'Since', 'Details'],
          shown.map((group) => activeFact(group, isQuiet(group))),
        ),
    rest(active.length, MOST.active, 'get_conditions'),
    shown.some(isQuiet) ? QUIET_NOTE : null,
    others.length === 0 ? null : `Resolved, inactive or without a status (${others.length}), the newest:`,
    others.length === 0
      ? null
      : factTable(['Condition', 'When', 'Status'], others.slice(0, MOST.over).map(pastFact)),
    rest(others.length, MOST.over, 'get_conditions'),
    socialText(social),
    limitText(groups),
  );
}

const socialText = (count: number): string | null =>
  count > 0
    ? `Besides, ${counted(count, 'social circumstance')} (work, schooling, housing): see \`get_conditions\`.`
    : null;

/** "No information about problems (stated 2020-03-01), Condition/7." */
export function statedList(groups: readonly Group[]): string | null {
  const all = groups.map(
    (group) => `${statedText(nameText(group.title), group)}, ${inline(group.reference)}`,
  );
  return all.length === 0 ? null : `Stated: ${all.join('; ')}.`;
}

const activeFact = (group: Group<'condition'>, isQuiet: boolean): Fact => ({
  cells: [
    nameText(group.title),
    isQuiet && group.lastDay !== null
      ? `${dateOf(group)} (${quietText(group.lastDay, group.dayText)})`
      : dateOf(group),
    conditionDetails(group),
  ],
  entries: [group],
});

function pastFact(group: Group<'condition'>): Fact {
  const when = group.times === 1 ? periodOf(group) : severalTimes([counted(group.times, 'time')], group);
  return {
    cells: [nameText(group.title), when, inline(group.detail.clinicalStatus ?? 'status not told')],
    entries: [group],
  };
}

export function allergiesText(groups: readonly Group<'allergy'>[], { withheld }: Day): string {
  const allergies = groups.filter(({ detail }) => !detail.none);
  const stated = groups.filter(({ detail }) => detail.none);
  if (groups.length === 0) return `${noneRecorded(withheld, 'ALLERGIES')} ${silenceText(SILENCE, withheld)}`;
  const inForce = allergies.filter(({ current }) => current);
  const past = allergies.length - inForce.length;
  return paragraphs(
    inForce.length > 0 ? allergyTable(inForce.slice(0, MOST.allergies), null) : null,
    rest(inForce.length, MOST.allergies, 'get_allergies'),
    stated.length > 0 ? statementTable(stated) : null,
    past > 0
      ? `${counted(past, 'inactive, resolved or refuted allergy', 'inactive, resolved or refuted allergies')}: see \`get_allergies\`.`
      : null,
    limitText(groups),
  );
}

/** Three readings of each, the newest first; of one day what is whole before what holds a part only. */
export function vitalsText(vitals: readonly LatestVital[], { withheld }: Day): string {
  const byName = Map.groupBy(vitals, ({ detail }) => detail.vital);
  const facts = VITAL_NAMES.flatMap((name): Fact[] => {
    const [latest, ...before] = wholeFirst(byName.get(name) ?? []);
    if (latest === undefined) return [];
    const earlier = before.map((each) => `${vitalText(each)} (${dateOf(each)})`);
    return [{ cells: [name, vitalText(latest), momentOf(latest), earlier.join(', ')], entries: [latest] }];
  });
  return facts.length === 0
    ? noneRecorded(withheld, 'CLINICAL_VITALS')
    : factTable(['Vital sign', 'Latest', 'Date', 'Before'], facts);
}

function wholeFirst(vitals: LatestVital[]): LatestVital[] {
  if (vitals.every(isWhole)) return vitals;
  return [...vitals].sort((one, other) =>
    one.dayText === other.dayText ? Number(isWhole(other)) - Number(isWhole(one)) : 0,
  );
}

const TOOL_OF: readonly [Kind, string, string, string][] = [
  ['lab', 'laboratory result', 'laboratory results', 'get_labs'],
  ['procedure', 'procedure', 'procedures', 'get_procedures'],
  ['immunization', 'immunization', 'immunizations', 'get_immunizations'],
  ['visit', 'visit', 'visits', 'get_visits'],
  ['note', 'clinical note', 'clinical notes', 'search_clinical_notes'],
];

/** Where to read on. */
export function restText(held: readonly Holding[]): string {
  const lines = TOOL_OF.flatMap(([kind, one, many, tool]) => {
    const holding = held.find((each) => each.kind === kind);
    if (!holding) return [];
    const { entries, undated, firstDay, lastDay } = holding;
    const spread = { times: entries, dated: entries - undated, firstDay, lastDay };
    return `- ${severalTimes([counted(entries, one, many)], spread)}: \`${tool}\``;
  });
  return lines.length === 0
    ? ''
    : `## Also in this record\n\n${lines.join('\n')}\n- everything by words: \`search\``;
}
