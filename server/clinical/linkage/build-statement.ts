import type { Kind, MedicationDetail } from '../entries/entry.ts';
import type { RecordKind } from '../entries/other-kinds.ts';
import { isModified } from '../entries/modifiers.ts';
import { describeDosage, findLastDay } from './describe-dosage.ts';
import { describeObservation } from './describe-observation.ts';
import { collectNames } from './names.ts';
import {
  normalizeDisposition,
  normalizeSeverity,
  normalizeStage,
  normalizeTitle,
  normalizeWords,
} from './normalize-value.ts';
import { toSeriesFacet, toVolumeFacet } from './vaccine-dose.ts';
import {
  toDateSteps,
  toDistinction,
  toEndFacet,
  toFacet,
  toWhenFacet,
  type ComparedEntry,
  type EntryOfKind,
  type Rule,
  type Statement,
} from './statement.ts';

const IN_FORCE = new Set(['active', 'recurrence', 'relapse']);
const OVER = new Set(['inactive', 'remission', 'resolved', 'completed', 'stopped', 'cancelled', 'ended']);

/** Reduces a status to in force or over: shades of either are no contradiction. */
function normalizeStatus(status: string | null, verification: string | null = null): string | null {
  if (verification === 'refuted') return 'refuted';
  if (status === null || status === 'unknown') return null;
  if (IN_FORCE.has(status)) return 'in force';
  return OVER.has(status) ? 'over' : status;
}

/** How sure a source is, but for what it refutes, which is a status. */
const CERTAINTY = new Map([
  ['confirmed', 'confirmed'],
  ['unconfirmed', 'doubted'],
  ['provisional', 'doubted'],
  ['differential', 'doubted'],
]);

const normalizeVerification = (verification: string | null): string | null =>
  CERTAINTY.get(verification ?? '') ?? null;

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

/** Names in one text ("Cough; Fever"), in whatever order they are. */
const sortNames = (names: string | null | undefined, normalize = normalizeTitle): string =>
  [...new Set((names ?? '').split('; ').map(normalize))].sort().join('; ');

/** Whether a visit took place: arrived, begun and over are shades of it. */
const TOOK_PLACE = new Map([
  ...['arrived', 'triaged', 'in-progress', 'onleave', 'finished', 'discharged', 'completed'].map(
    (each) => [each, 'yes'] as const,
  ),
  ...['cancelled', 'noshow'].map((each) => [each, 'no'] as const),
  ['planned', 'planned'],
]);

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
      toFacet(normalizeVerification(entry.detail.verification)),
      toFacet(entry.detail.severity === null ? null : normalizeSeverity(entry.detail.severity)),
      toFacet(sortNames(entry.detail.stage, normalizeStage)),
      toEndFacet(entry.endText),
      toWhenFacet(entry),
      toDistinction(entry.detail.abatement),
    ],
  }),
  medication: (entry) => ({
    role: getRole(entry),
    // A drug is given several times a day.
    when: toDateSteps(entry, { maxPrecision: getRole(entry) === 'given' ? 'time' : 'day' }),
    facets: [
      ...describeDosage(entry.detail),
      toFacet(normalizeStatus(entry.status)),
      toDistinction(getRole(entry) === 'dispensed' ? entry.detail.supply : null),
      toEndFacet((entry.detail.isEndComputed ? null : entry.endText) ?? findLastDay(entry.detail)),
    ],
  }),
  lab: describeObservation,
  vital: describeObservation,
  social_history: describeObservation,
  survey: describeObservation,
  allergy: ({ detail, ...entry }) => ({
    role: detail.none ? 'statement' : 'allergy',
    when: [''],
    facets: [
      toFacet(normalizeStatus(detail.clinicalStatus, detail.verification)),
      toFacet([...new Set(detail.reactions.map(normalizeWords))].sort().join('; ')),
      toFacet(detail.criticality === 'unable-to-assess' ? null : detail.criticality),
      toFacet(normalizeVerification(detail.verification)),
      toFacet(detail.type),
      toWhenFacet(entry),
    ],
  }),
  procedure: (entry) => ({
    when: toDateSteps(entry, { maxPrecision: 'day' }),
    facets: [
      toFacet(entry.status === null ? null : (DONE.get(entry.status) ?? entry.status)),
      toDistinction(entry.detail.bodySite),
      toFacet(normalizeWords(entry.detail.outcome ?? '')),
      toFacet(sortNames(entry.detail.complications)),
      toEndFacet(entry.endText),
      toWhenFacet(entry),
    ],
  }),
  immunization: (entry) => ({
    when: toDateSteps(entry, { maxPrecision: 'day' }),
    facets: [
      toFacet(entry.detail.notDone ? 'not done' : 'done'),
      toFacet(entry.detail.lot === null ? null : normalizeTitle(entry.detail.lot)),
      toFacet(entry.detail.subpotent === undefined ? 'potent' : 'subpotent'),
      toSeriesFacet(entry.detail.dose),
      toVolumeFacet(entry.detail.dose),
      toWhenFacet(entry),
    ],
  }),
  visit: (entry) => {
    const { class: className } = entry.detail;
    return {
      names: [...collectNames(entry), ...(className === null ? [] : [`class ${normalizeTitle(className)}`])],
      when: toDateSteps(entry, { maxPrecision: 'time' }),
      facets: [
        toDistinction(className),
        toFacet(sortNames(entry.detail.reason), 'two facts'),
        toFacet(TOOK_PLACE.get(entry.status ?? '') ?? null),
        toEndFacet(entry.endText),
        toFacet(normalizeDisposition(entry.detail.disposition ?? '')),
      ],
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
