import type { Recorded } from '../records/clinical.sql.ts';
import { VITAL_NAMES, type Kind } from '../records/entry.ts';
import type { RecordHead } from '../records/record-state.sql.ts';
import type { Group, Holding } from '../records/summary.sql.ts';
import { counted, factTable, listed, paragraphs, type Fact } from './markdown.ts';
import { vitalText } from './measure-text.ts';
import { inline } from './record-text.ts';
import { allergyTable, SILENCE, statementTable } from './tools/get-allergies.ts';
import { conditionDetails } from './tools/get-conditions.ts';
import { nounOf } from './tools/get-medications.ts';
import { dateOf, momentOf, periodOf, span } from './written-dates.ts';

/** What a page of each can hold and still be read. */
const MOST = { active: 20, over: 5, current: 25, past: 8, allergies: 25 };

/** "and 14 more, see get_conditions" */
const rest = (all: number, shown: number, tool: string): string | null =>
  all > shown ? `… and ${all - shown} more, see \`${tool}\`.` : null;

export function overviewText(held: readonly Holding[], head: RecordHead | null): string {
  const days = held.flatMap(({ firstDay, lastDay }) => [firstDay ?? [], lastDay ?? []].flat()).sort();
  const entries = held.reduce((sum, { entries }) => sum + entries, 0);
  const synchronized = head?.lastSynchronizedAt
    ? `last synchronized ${head.lastSynchronizedAt.slice(0, 10)}`
    : null;
  return `${listed([`${counted(entries, 'entry', 'entries')}, ${span(days[0] ?? null, days.at(-1) ?? null)}`, synchronized])}.`;
}

export function conditionsText(groups: readonly Group<'condition'>[]): string {
  const illnesses = groups.filter(
    ({ detail }) => !detail.none && !detail.social && detail.verification !== 'refuted',
  );
  const active = illnesses.filter(({ current }) => current);
  const others = illnesses.filter(({ current }) => !current);
  const stated = groups.filter(({ detail }) => detail.none);
  const said =
    stated.length > 0
      ? `Stated: ${stated.map((each) => `${inline(each.title)} (${dateOf(each)}, ${inline(each.reference)})`).join('; ')}.`
      : null;
  const social = groups.filter(({ detail }) => detail.social).length;
  if (illnesses.length === 0) return paragraphs(said ?? 'None recorded.', socialText(social));
  return paragraphs(
    said,
    active.length === 0 ? 'No active conditions recorded.' : `Active (${active.length}):`,
    active.length === 0
      ? null
      : factTable(['Condition', 'Since', 'Details'], active.slice(0, MOST.active).map(activeFact)),
    rest(active.length, MOST.active, 'get_conditions'),
    others.length === 0 ? null : `Resolved, inactive or without a status (${others.length}), the newest:`,
    others.length === 0
      ? null
      : factTable(['Condition', 'When', 'Status'], others.slice(0, MOST.over).map(pastFact)),
    rest(others.length, MOST.over, 'get_conditions'),
    socialText(social),
  );
}

const socialText = (count: number): string | null =>
  count > 0
    ? `Besides, ${counted(count, 'social circumstance')} (work, schooling, housing): see \`get_conditions\`.`
    : null;

const activeFact = (group: Group<'condition'>): Fact => ({
  cells: [inline(group.title), dateOf(group), conditionDetails(group)],
  entries: [group],
});

function pastFact(group: Group<'condition'>): Fact {
  const when =
    group.times === 1
      ? periodOf(group)
      : `${counted(group.times, 'time')}, ${span(group.firstDay, group.lastDay)}`;
  return {
    cells: [inline(group.title), when, inline(group.detail.clinicalStatus ?? 'status not told')],
    entries: [group],
  };
}

export function medicationsText(groups: readonly Group<'medication'>[]): string {
  const drugs = groups.filter(({ detail }) => !detail.none);
  const stated = groups.find(({ detail }) => detail.none);
  if (drugs.length === 0)
    return stated
      ? `${inline(stated.title)} (stated ${dateOf(stated)}, ${inline(stated.reference)}).`
      : 'None recorded.';
  const current = drugs.filter(({ current }) => current);
  const past = drugs.filter(({ current, detail }) => !current && ORDERS.has(detail.resource));
  return paragraphs(
    current.length === 0 ? 'No current medications recorded.' : `Current (${current.length}):`,
    current.length === 0
      ? null
      : factTable(
          ['Medication', 'Ordered', 'Dosage', 'Reason'],
          current.slice(0, MOST.current).map(drugFact),
        ),
    rest(current.length, MOST.current, 'get_medications'),
    past.length === 0 ? null : `No longer current, or of unknown status (${past.length}), the newest:`,
    past.length === 0
      ? null
      : factTable(['Medication', 'Ordered', 'Dosage', 'Status'], past.slice(0, MOST.past).map(pastDrugFact)),
    rest(past.length, MOST.past, 'get_medications'),
  );
}

/** Doses given and packs handed over follow from these. */
const ORDERS = new Set(['MedicationRequest', 'MedicationStatement']);

const ordered = (group: Group<'medication'>): string =>
  group.times === 1
    ? periodOf(group)
    : `${counted(group.times, nounOf(group))}, ${span(group.firstDay, group.lastDay)}`;

const drugFact = (group: Group<'medication'>): Fact => ({
  cells: [
    inline(group.title),
    ordered(group),
    inline(group.detail.dosage, 200),
    inline(group.detail.reason, 120),
  ],
  entries: [group],
});

const pastDrugFact = (group: Group<'medication'>): Fact => ({
  cells: [
    inline(group.title),
    ordered(group),
    inline(group.detail.dosage, 200),
    inline(group.status ?? 'status not told'),
  ],
  entries: [group],
});

export function allergiesText(groups: readonly Group<'allergy'>[]): string {
  const allergies = groups.filter(({ detail }) => !detail.none);
  const stated = groups.filter(({ detail }) => detail.none);
  if (groups.length === 0) return `None recorded. ${SILENCE}`;
  const inForce = allergies.filter(({ current }) => current);
  const past = allergies.length - inForce.length;
  return paragraphs(
    inForce.length > 0 ? allergyTable(inForce.slice(0, MOST.allergies), null) : null,
    rest(inForce.length, MOST.allergies, 'get_allergies'),
    stated.length > 0 ? statementTable(stated) : null,
    past > 0
      ? `${counted(past, 'inactive, resolved or refuted allergy', 'inactive, resolved or refuted allergies')}: see \`get_allergies\`.`
      : null,
  );
}

export function vitalsText(vitals: readonly Recorded<'vital'>[]): string {
  const byName = Map.groupBy(vitals, ({ detail }) => detail.vital);
  const facts = VITAL_NAMES.flatMap((name): Fact[] => {
    const [latest, ...before] = byName.get(name) ?? [];
    if (latest === undefined) return [];
    const earlier = before.map((each) => `${vitalText(each)} (${dateOf(each)})`);
    return [{ cells: [name, vitalText(latest), momentOf(latest), earlier.join(', ')], entries: [latest] }];
  });
  return facts.length === 0 ? 'None recorded.' : factTable(['Vital sign', 'Latest', 'Date', 'Before'], facts);
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
    return holding
      ? `- ${counted(holding.entries, one, many)}, ${span(holding.firstDay, holding.lastDay)}: \`${tool}\``
      : [];
  });
  return lines.length === 0
    ? ''
    : `## Also in this record\n\n${lines.join('\n')}\n- everything by words: \`search\``;
}
