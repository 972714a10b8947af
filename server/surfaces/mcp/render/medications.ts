import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { getStart, isNotBegun } from '../../../clinical/entries/course-start.ts';
import type { DrugEnd } from '../../../clinical/queries/drug-ends.ts';
import { escapeValue } from './escape-markdown.ts';
import { formatDate, formatPeriod, hasEnded } from './date-text.ts';
import { join } from './markdown.ts';
import { STATUS_NOT_RECORDED } from './name-text.ts';

/** The sections of the list of medications, in reading order. */
export const MEDICATION_HEADINGS = [
  'Current',
  'Not begun yet',
  'Active in the record, but later stopped or held',
  'On hold',
  'Past',
  'Status not recorded',
  'Planned or proposed',
  'Given',
  'Dispensed',
  'Not taken',
  'Not to be given',
] as const;
export type MedicationHeading = (typeof MEDICATION_HEADINGS)[number];
export const NOT_BEGUN: MedicationHeading = 'Not begun yet';
export const ENDED_LATER: MedicationHeading = 'Active in the record, but later stopped or held';

type Medication = Pick<
  StoredEntry<'medication'>,
  'current' | 'groupKey' | 'status' | 'dayText' | 'endText' | 'detail'
>;

const HEADING_BY_STATUS = new Map<string, MedicationHeading>([
  ['on-hold', 'On hold'],
  ['draft', 'Planned or proposed'],
  ['intended', 'Planned or proposed'],
  ['not-taken', 'Not taken'],
  ['completed', 'Past'],
  ['stopped', 'Past'],
  ['ended', 'Past'],
  ['cancelled', 'Past'],
  ['inactive', 'Past'],
]);

function resolveHeading(medication: Medication, today: string): MedicationHeading {
  const { current, groupKey, status, detail } = medication;
  if (groupKey.startsWith('not:')) return 'Not to be given';
  if (current && isNotBegun(medication, today)) return NOT_BEGUN;
  if (current) return isInForce(medication, today) ? 'Current' : 'Past';
  if (detail.resource === 'MedicationAdministration') return status === 'not-done' ? 'Not taken' : 'Given';
  if (detail.resource === 'MedicationDispense')
    return status === 'declined' || status === 'cancelled' ? 'Not taken' : 'Dispensed';
  if (['proposal', 'plan', 'option'].includes(detail.intent ?? '') && status !== 'completed')
    return 'Planned or proposed';
  return HEADING_BY_STATUS.get(status ?? '') ?? 'Status not recorded';
}

/** An order or statement that holds today; what ended by its own dates does not, nor what is to begin. */
export const isInForce = (medication: Medication, today: string): boolean =>
  medication.current && !hasEnded(medication, today) && !isNotBegun(medication, today);

/** "not begun yet, from 2027-01-05"; null of anything else. */
export const formatBeginning = (medication: Medication, today: string): string | null =>
  medication.current && isNotBegun(medication, today) ? `not begun yet, from ${getStart(medication)}` : null;

/** "2010-10-28, taken from 2008-09-22 until 2008-10-02" where it is begun on another day than that of the order or statement. */
export function formatCourse(medication: Medication, today: string): string {
  const { begins } = medication.detail;
  if (begins === undefined || formatBeginning(medication, today) !== null) return formatPeriod(medication);
  const end = medication.endText === null ? '' : ` until ${medication.endText}`;
  return `${formatDate(medication)}, taken from ${escapeValue(begins, 40)}${end}`;
}

/** What a row of a drug shows first: what is in force of it, or all where nothing is; and what is over. */
export function separatePast<M extends Medication>(
  drug: readonly M[],
  today: string,
): { shown: readonly M[]; past: readonly M[] } {
  const inForce = drug.filter((medication) => isInForce(medication, today));
  return inForce.length === 0
    ? { shown: drug, past: [] }
    : { shown: inForce, past: drug.filter((medication) => !inForce.includes(medication)) };
}

const isOrder = ({ detail }: Medication): boolean =>
  detail.resource === 'MedicationRequest' || detail.resource === 'MedicationStatement';

/** What ends a drug that is in force, by its group key. */
export type DrugEnds = ReadonlyMap<string, DrugEnd>;

/**
 * Groups medications by heading and drug; within a drug, entries in force come first, the others in the given order. A drug
 * that a later record ends is not simply current.
 */
export function groupByHeading<M extends Medication>(
  medications: readonly M[],
  today: string,
  ends: DrugEnds,
): Map<MedicationHeading, M[][]> {
  const classified = medications.map((medication) => ({
    medication,
    heading: resolveHeading(medication, today),
  }));
  // Past orders of a current drug belong to its row.
  const inForce = new Set(
    classified.flatMap(({ medication, heading }) => (heading === 'Current' ? medication.groupKey : [])),
  );
  const drugs = new Map<MedicationHeading, Map<string, { own: M[]; past: M[] }>>();
  for (const { medication, heading } of classified) {
    const { groupKey } = medication;
    const isRenewed = heading === 'Past' && isOrder(medication) && inForce.has(groupKey);
    const isEnded = ends.get(groupKey)?.order === 'later';
    const target = !isRenewed && heading !== 'Current' ? heading : isEnded ? ENDED_LATER : 'Current';
    const drugsUnder = drugs.get(target) ?? new Map<string, { own: M[]; past: M[] }>();
    if (drugsUnder.size === 0) drugs.set(target, drugsUnder);
    const drug = drugsUnder.get(groupKey) ?? { own: [], past: [] };
    if (drug.own.length + drug.past.length === 0) drugsUnder.set(groupKey, drug);
    (isRenewed ? drug.past : drug.own).push(medication);
  }
  return new Map(
    [...drugs].map(([heading, drugsUnder]) => [
      heading,
      [...drugsUnder.values()].map(({ own, past }) => [...own, ...past]),
    ]),
  );
}

/** "active, but ended 2020-02-01 by its own dates" for an order that nobody closed; "stopped: Severe bradycardia". */
export function formatMedicationStatus(medication: Medication, today: string): string {
  const { current, status, endText, detail } = medication;
  const beginning = formatBeginning(medication, today);
  const hasOwnEnd = current && endText !== null && beginning === null;
  // Of orders the heading says it; a dose without a status stands under "Given".
  const unrecorded = isOrder(medication) ? null : STATUS_NOT_RECORDED;
  const written = escapeValue(
    hasOwnEnd ? `${status ?? 'current'}, but ended ${endText} by its own dates` : (status ?? unrecorded),
  );
  return formatStatusReason(join([written, beginning], ', '), detail);
}

/** "stopped: Severe bradycardia" */
export const formatStatusReason = (status: string, { statusReason }: Medication['detail']): string =>
  statusReason === undefined ? status : join([status, escapeValue(statusReason, 200)], ': ');

/** "prescription valid until 2020-01-01", of a row whose prescriptions may all be dispensed no more; they may be taken. */
export function formatExpiry(orders: readonly Pick<Medication, 'detail'>[], today: string): string | null {
  const days = orders.map(({ detail }) => detail.validUntil ?? null);
  const isExpired = days.every((day) => day !== null && hasEnded({ endText: day }, today));
  return isExpired
    ? formatValidity(days.toSorted((one, other) => (one ?? '').localeCompare(other ?? '')).at(-1))
    : null;
}

export const formatValidity = (day: string | null | undefined): string | null =>
  day === null || day === undefined ? null : `prescription valid until ${escapeValue(day, 40)}`;

const NOUNS: Readonly<Record<Medication['detail']['resource'], string>> = {
  MedicationRequest: 'order',
  MedicationStatement: 'statement',
  MedicationAdministration: 'dose',
  MedicationDispense: 'dispense',
};

export const getNoun = ({ detail }: Pick<Medication, 'detail'>): string => NOUNS[detail.resource];
