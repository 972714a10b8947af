import type { Recorded } from '../records/clinical.sql.ts';
import { isOver } from './written-dates.ts';

/** Where a reader looks for a medication: the sections of the list, in reading order. */
export const PLACES = [
  'Current',
  'On hold',
  'Past',
  'Status not told',
  'Planned or proposed',
  'Given',
  'Dispensed',
  'Not taken',
  'Not to be given',
] as const;
export type Place = (typeof PLACES)[number];

type Medication = Pick<Recorded<'medication'>, 'current' | 'groupKey' | 'status' | 'endText' | 'detail'>;

const PLACE_OF_STATUS = new Map<string, Place>([
  ['on-hold', 'On hold'],
  ['draft', 'Planned or proposed'],
  ['intended', 'Planned or proposed'],
  ['not-taken', 'Not taken'],
  ['unknown', 'Status not told'],
]);

function placeOf(medication: Medication, today: string): Place {
  const { current, groupKey, status, detail } = medication;
  if (groupKey.startsWith('not:')) return 'Not to be given';
  if (current) return isOver(medication, today) ? 'Past' : 'Current';
  if (detail.resource === 'MedicationAdministration') return status === 'not-done' ? 'Not taken' : 'Given';
  if (detail.resource === 'MedicationDispense') return 'Dispensed';
  if (['proposal', 'plan', 'option'].includes(detail.intent ?? '') && status !== 'completed')
    return 'Planned or proposed';
  return status === null ? 'Status not told' : (PLACE_OF_STATUS.get(status) ?? 'Past');
}

const isOrder = ({ detail }: Medication): boolean =>
  detail.resource === 'MedicationRequest' || detail.resource === 'MedicationStatement';

/** At each place the drugs, of each what is told of it: what is in force first, else in the order given. */
export function byPlace<M extends Medication>(medications: readonly M[], today: string): Map<Place, M[][]> {
  const placed = medications.map((medication) => ({ medication, place: placeOf(medication, today) }));
  // Past orders of a drug that is taken today belong to its row.
  const inForce = new Set(
    placed.flatMap(({ medication, place }) => (place === 'Current' ? medication.groupKey : [])),
  );
  const drugs = new Map<Place, Map<string, { taken: M[]; past: M[] }>>();
  for (const { medication, place } of placed) {
    const { groupKey } = medication;
    const renewed = place === 'Past' && isOrder(medication) && inForce.has(groupKey);
    const at = renewed ? 'Current' : place;
    const there = drugs.get(at) ?? new Map<string, { taken: M[]; past: M[] }>();
    if (there.size === 0) drugs.set(at, there);
    const drug = there.get(groupKey) ?? { taken: [], past: [] };
    if (drug.taken.length + drug.past.length === 0) there.set(groupKey, drug);
    (renewed ? drug.past : drug.taken).push(medication);
  }
  return new Map(
    [...drugs].map(([place, there]) => [
      place,
      [...there.values()].map(({ taken, past }) => [...taken, ...past]),
    ]),
  );
}

/** "active, but ended 2020-02-01 by its own dates": nobody closed it. */
export function statusText({ current, status, endText }: Medication): string | null {
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

export const nounOf = ({ detail }: Pick<Medication, 'detail'>): string => NOUNS[detail.resource];
