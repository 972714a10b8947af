import type { Kind, MedicationDetail } from '../entries/entry.ts';
import type { Measure, ObservationDetail } from '../entries/observation-detail.ts';
import type { RecordKind } from '../entries/other-kinds.ts';
import { isModified } from '../entries/modifiers.ts';
import { AVERAGE_CODES } from '../entries/vital-signs.ts';
import { collectNames } from './names.ts';
import {
  normalizeDosage,
  normalizeTitle,
  normalizeUnit,
  normalizeValue,
  normalizeWords,
} from './normalize-value.ts';
import { toDateSteps, toFacet, type ComparedEntry, type Facet, type Statement } from './statement.ts';

type EntryOfKind<K extends Kind> = Extract<ComparedEntry, { kind: K }>;
type Rule<K extends Kind> = (
  entry: EntryOfKind<K>,
) => Pick<Statement, 'when' | 'facets'> & Partial<Statement>;

const IN_FORCE = new Set(['active', 'recurrence', 'relapse']);
const OVER = new Set(['inactive', 'remission', 'resolved', 'completed', 'stopped', 'cancelled', 'ended']);

/** Reduces a status to in force or over: shades of either are no contradiction. */
function normalizeStatus(status: string | null, verification: string | null = null): string | null {
  if (verification === 'refuted') return 'refuted';
  if (status === null || status === 'unknown') return null;
  if (IN_FORCE.has(status)) return 'in force';
  return OVER.has(status) ? 'over' : status;
}

const ROLES: Readonly<Record<MedicationDetail['resource'], string>> = {
  // The same prescription comes as either: C-CDA does not distinguish an order from a statement that it is taken.
  MedicationRequest: 'taken',
  MedicationStatement: 'taken',
  MedicationAdministration: 'given',
  MedicationDispense: 'dispensed',
};
const NOT_YET = new Set(['proposal', 'plan', 'option']);

function getRole({ groupKey, detail }: EntryOfKind<'medication'>): string {
  if (groupKey.startsWith('not:')) return 'forbidden';
  return NOT_YET.has(detail.intent ?? '') ? 'planned' : ROLES[detail.resource];
}

type Result = Pick<Measure, 'value' | 'unit'>;

/** What makes two facts of two entries of one name, where both state it. */
const toDistinction = (...words: readonly (string | null | undefined)[]): Facet =>
  toFacet(words.flatMap((each) => (each ? normalizeWords(each) : [])).join('; '), 'two facts');

/** The reasons of a visit, in whatever order they are named. */
const sortReasons = (reason: string | null): string =>
  [...new Set((reason ?? '').split('; ').map(normalizeTitle))].sort().join('; ');

/** Numbers in two units are not compared: 98.6 and 37 may be the same, or not. */
const toResultFacets = ({ value, unit }: Result): [value: Facet, unit: Facet] => [
  toFacet(value === null ? null : normalizeValue(value)),
  toFacet(value === null ? null : normalizeUnit(unit), 'two facts'),
];

const listPartNames = ({ label, code }: Measure): string[] => [
  ...(code !== null && !code.startsWith('|') ? [`code ${code}`] : []),
  `title ${normalizeTitle(label)}`,
];

/** Joins the components into one value, sorted: two panels agree when every part does. */
const joinComponents = (components: readonly Measure[]): Result => ({
  value: components
    .map(
      (part) =>
        `${listPartNames(part)[0]} ${part.value === null ? '' : normalizeValue(part.value)} ${normalizeUnit(part.unit) ?? ''}`,
    )
    .sort()
    .join('; '),
  unit: null,
});

const SYSTOLIC = /systolic|\b8480-6$/i;
const DIASTOLIC = /diastolic|\b8462-4$/i;

/** Returns the facets of both pressures, of which a source may leave one out; null where no component is a pressure. */
function buildPressureFacets(components: readonly Measure[]): Facet[] | null {
  const [systolic, diastolic] = [SYSTOLIC, DIASTOLIC].map((name) =>
    components.find(({ label, code }) => name.test(label) || name.test(code ?? '')),
  );
  if (systolic === undefined && diastolic === undefined) return null;
  const [value, unit] = toResultFacets(systolic ?? { value: null, unit: null });
  return [value, unit, toResultFacets(diastolic ?? { value: null, unit: null })[0]];
}

function describeObservation(
  entry: EntryOfKind<'lab' | 'vital' | 'social_history' | 'survey'>,
): ReturnType<Rule<'lab'>> {
  const { detail, code } = entry;
  const { components, value } = detail;
  // An average does not contradict a reading.
  const vital = entry.kind === 'vital' && !AVERAGE_CODES.includes(code ?? '') ? entry.detail.vital : null;
  const both = vital === 'Blood Pressure' ? buildPressureFacets(components) : null;
  // A systolic pressure alone is a blood pressure too, but does not state the whole of it.
  const isVitalAsWhole = vital !== null && (vital !== 'Blood Pressure' || both !== null);
  // A susceptibility has no value: its interpretation is the result.
  const measured = value === null ? { value: detail.interpretation, unit: null } : detail;
  const result = value === null && components.length > 0 ? joinComponents(components) : measured;
  return {
    // A cancelled result is no valid one, whatever the other source states.
    ...(entry.status === 'cancelled' && { role: 'cancelled' }),
    ...(isVitalAsWhole && { names: [...collectNames(entry), `vital ${vital}`] }),
    when: toDateSteps(entry, { maxPrecision: 'time' }),
    facets: [...(both ?? [...toResultFacets(result), toFacet(null)]), distinguishObservation(detail)],
    requiresSameDate: true,
    parts: components
      .filter((part) => part.value !== null)
      .map((part) => ({
        names: listPartNames(part),
        facets: [...toResultFacets(part), toFacet(null), toFacet(null)],
      })),
  };
}

const NUMERIC = /^[<>=≤≥~\s]*[-+]?\d/;

/**
 * Where it was measured; in what, unless the number and the code say so ("Serum" and "Blood" are spellings of one thing there,
 * and two things of a culture); and of a panel without a value its words, the conclusion of a report.
 */
function distinguishObservation({ value, components, bodySite, specimen, note }: ObservationDetail): Facet {
  const isHeading = value === null && components.length === 0;
  const isNumeric = NUMERIC.test(value ?? '') || components.length > 0;
  return toDistinction(bodySite, isNumeric ? null : specimen, isHeading ? note : null);
}

function describeRecord(entry: EntryOfKind<RecordKind>): ReturnType<Rule<'other'>> {
  return {
    role: entry.detail.type,
    when: toDateSteps(entry, { maxPrecision: 'day' }),
    facets: [toFacet(entry.detail.text, 'two facts'), toFacet(entry.status, 'two facts')],
  };
}

const DONE = new Map([
  ['completed', 'done'],
  ['not-done', 'not done'],
]);

/** One rule for each kind; docs/records.md has them as a table. */
const RULES: { readonly [K in Kind]: Rule<K> } = {
  condition: (entry) => ({
    // A problem list often has no onset.
    when: toDateSteps(entry, { maxPrecision: 'day', open: true }),
    facets: [
      toFacet(normalizeStatus(entry.detail.clinicalStatus, entry.detail.verification)),
      toDistinction(entry.detail.bodySite),
    ],
  }),
  medication: (entry) => ({
    role: getRole(entry),
    // A drug is given several times a day.
    when: toDateSteps(entry, { maxPrecision: getRole(entry) === 'given' ? 'time' : 'day' }),
    facets: [
      toFacet(entry.detail.dosage === null ? null : normalizeDosage(entry.detail.dosage)),
      toFacet(normalizeStatus(entry.status)),
      toDistinction(getRole(entry) === 'dispensed' ? entry.detail.supply : null),
    ],
  }),
  lab: describeObservation,
  vital: describeObservation,
  social_history: describeObservation,
  survey: describeObservation,
  allergy: ({ detail }) => ({
    role: detail.none ? 'statement' : 'allergy',
    when: [''],
    facets: [
      toFacet(normalizeStatus(detail.clinicalStatus, detail.verification)),
      toFacet([...new Set(detail.reactions.map(normalizeWords))].sort().join('; ')),
      toFacet(detail.criticality === 'unable-to-assess' ? null : detail.criticality),
    ],
  }),
  procedure: (entry) => ({
    when: toDateSteps(entry, { maxPrecision: 'day' }),
    facets: [
      toFacet(entry.status === null ? null : (DONE.get(entry.status) ?? entry.status)),
      toDistinction(entry.detail.bodySite),
    ],
  }),
  immunization: (entry) => ({
    when: toDateSteps(entry, { maxPrecision: 'day' }),
    facets: [
      toFacet(entry.detail.notDone ? 'not done' : 'done'),
      toFacet(entry.detail.lot === null ? null : normalizeTitle(entry.detail.lot)),
      toFacet(entry.detail.subpotent === undefined ? 'potent' : 'subpotent'),
    ],
  }),
  visit: (entry) => {
    const { class: className } = entry.detail;
    return {
      names: [...collectNames(entry), ...(className === null ? [] : [`class ${normalizeTitle(className)}`])],
      when: toDateSteps(entry, { maxPrecision: 'time' }),
      facets: [toDistinction(className), toFacet(sortReasons(entry.detail.reason), 'two facts')],
    };
  },
  note: (entry) => ({
    // Notes share their titles with each other: only their words name them.
    names: (entry.names ?? []).filter((name) => !name.startsWith('code ')),
    when: toDateSteps(entry, { maxPrecision: 'day' }),
    facets: [],
  }),
  care_team: describeRecord,
  care_plan: describeRecord,
  goal: describeRecord,
  device: describeRecord,
  family_history: describeRecord,
  imaging: describeRecord,
  order: describeRecord,
  coverage: describeRecord,
  document: describeRecord,
  other: describeRecord,
};

/** Normalizes what an entry states, by the rule of its kind. */
export function buildStatement(entry: ComparedEntry): Statement {
  const rule = RULES[entry.kind] as Rule<Kind>;
  const names = collectNames(entry);
  const statement = { names, role: '', requiresSameDate: false, parts: [], ...rule(entry) };
  // Nobody knows what it says, so that it is one with no other.
  return isModified(entry) ? { ...statement, role: `modified ${entry.reference}` } : statement;
}
