import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { hasEnded } from './date-text.ts';

/** The sections of the list of medications, in reading order. */
export const MEDICATION_HEADINGS = [
  'Current',
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

type Medication = Pick<StoredEntry<'medication'>, 'current' | 'groupKey' | 'status' | 'endText' | 'detail'>;

const HEADING_BY_STATUS = new Map<string, MedicationHeading>([
  ['on-hold', 'On hold'],
  ['draft', 'Planned or proposed'],
  ['intended', 'Planned or proposed'],
  ['not-taken', 'Not taken'],
  ['unknown', 'Status not recorded'],
]);

function resolveHeading(medication: Medication, today: string): MedicationHeading {
  const { current, groupKey, status, detail } = medication;
  if (groupKey.startsWith('not:')) return 'Not to be given';
  if (current) return isInForce(medication, today) ? 'Current' : 'Past';
  if (detail.resource === 'MedicationAdministration') return status === 'not-done' ? 'Not taken' : 'Given';
  if (detail.resource === 'MedicationDispense')
    return status === 'declined' || status === 'cancelled' ? 'Not taken' : 'Dispensed';
  if (['proposal', 'plan', 'option'].includes(detail.intent ?? '') && status !== 'completed')
    return 'Planned or proposed';
  return status === null ? 'Status not recorded' : (HEADING_BY_STATUS.get(status) ?? 'Past');
}

/** An order or statement that holds today; what ended by its own dates does not. */
export const isInForce = (medication: Medication, today: string): boolean =>
  medication.current && !hasEnded(medication, today);

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

/** Groups medications by heading and drug; within a drug, entries in force come first, the others in the given order. */
export function groupByHeading<M extends Medication>(
  medications: readonly M[],
  today: string,
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
    const target = isRenewed ? 'Current' : heading;
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

/** "active, but ended 2020-02-01 by its own dates" for an order that nobody closed. */
export function formatMedicationStatus({ current, status, endText }: Medication): string | null {
  return current && endText !== null
    ? `${status ?? 'current'}, but ended ${endText} by its own dates`
    : status;
}

const NOUNS: Readonly<Record<Medication['detail']['resource'], string>> = {
  MedicationRequest: 'order',
  MedicationStatement: 'statement',
  MedicationAdministration: 'dose',
  MedicationDispense: 'dispense',
};

export const getNoun = ({ detail }: Pick<Medication, 'detail'>): string => NOUNS[detail.resource];
