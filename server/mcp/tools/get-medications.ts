import type { Recorded } from '../../records/clinical.sql.ts';
import { history } from '../history.ts';
import { counted, factTable, listed, paragraphs, section, type Fact } from '../markdown.ts';
import { inline } from '../record-text.ts';
import { tool } from '../tool.ts';
import { HistoryWindow, windowOf, type Window } from '../window.ts';
import { beganBefore, dateOf, periodOf, span } from '../written-dates.ts';

type Medication = Recorded<'medication'>;

export const getMedications = tool({
  name: 'get_medications',
  title: 'Medications',
  description:
    'Medications with dosing: current ones whatever their date, and past, planned, given and dispensed ones recorded in the window. Renewals of one drug are one row with its count and its first and last date.',
  input: HistoryWindow,
  run: (deps, access, input) =>
    history(deps, access, {
      title: 'Medications',
      plural: 'medications',
      subject: { kind: 'medication', standing: 'current' },
      window: windowOf(deps.clock, input),
      write: medicationSections,
    }),
});

/** Sections in reading order. */
const PLACES = [
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
type Place = (typeof PLACES)[number];

const PLACE_OF_STATUS = new Map<string, Place>([
  ['on-hold', 'On hold'],
  ['draft', 'Planned or proposed'],
  ['intended', 'Planned or proposed'],
  ['not-taken', 'Not taken'],
  ['unknown', 'Status not told'],
]);

function placeOf({ current, groupKey, status, detail }: Medication): Place {
  if (groupKey.startsWith('not:')) return 'Not to be given';
  if (current) return 'Current';
  if (detail.resource === 'MedicationAdministration') return status === 'not-done' ? 'Not taken' : 'Given';
  if (detail.resource === 'MedicationDispense') return 'Dispensed';
  if (['proposal', 'plan', 'option'].includes(detail.intent ?? '') && status !== 'completed')
    return 'Planned or proposed';
  return status === null ? 'Status not told' : (PLACE_OF_STATUS.get(status) ?? 'Past');
}

function medicationSections(entries: Medication[], window: Window): string {
  const stated = entries.filter(({ detail }) => detail.none);
  const drugs = entries.filter(({ detail }) => !detail.none);
  // Past orders of a drug that is taken today belong to its row.
  const inForce = new Set(drugs.filter(({ current }) => current).map(({ groupKey }) => groupKey));
  const isOrder = ({ detail }: Medication): boolean =>
    detail.resource === 'MedicationRequest' || detail.resource === 'MedicationStatement';
  const at = Map.groupBy(drugs, (entry): Place => {
    const place = placeOf(entry);
    return place === 'Past' && isOrder(entry) && inForce.has(entry.groupKey) ? 'Current' : place;
  });
  return paragraphs(
    ...PLACES.map((place) => {
      const groups = [...Map.groupBy(at.get(place) ?? [], ({ groupKey }) => groupKey).values()];
      return groups.length === 0
        ? null
        : section(`${place} (${groups.length})`, drugTable(groups, place, window));
    }),
    section('Statements', statements(stated)),
  );
}

const statements = (entries: Medication[]): string =>
  entries.length === 0
    ? ''
    : factTable(
        ['Statement'],
        entries.map((entry) => ({
          cells: [`${inline(entry.title)} (stated ${dateOf(entry)})`],
          entries: [entry],
        })),
      );

function drugTable(groups: Medication[][], place: Place, window: Window): string {
  const ordered = groups.map((group) =>
    [...group].sort((one, other) => Number(other.current) - Number(one.current)),
  );
  return factTable(
    ['Medication', place === 'Current' ? 'Ordered' : 'When', 'Dosage', 'Status', 'Reason', 'By', 'Note'],
    ordered.map((group) => drugFact(group, place, window)),
  );
}

/** Told by the newest entry in force, else the newest. */
function drugFact(group: Medication[], place: Place, window: Window): Fact {
  const [told] = group as [Medication];
  const { detail } = told;
  const dosage = detail.dosage ?? group.find((each) => each.detail.dosage !== null)?.detail.dosage ?? null;
  return {
    cells: [
      inline(told.title),
      `${times(group)}${place === 'Current' ? beganBefore(told, window) : ''}`,
      inline(dosage),
      place === 'Current'
        ? ''
        : listed([inline(told.status), detail.intent === 'order' ? null : inline(detail.intent)], ', '),
      inline(detail.reason),
      inline(detail.prescriber, 80),
      inline(detail.note),
    ],
    entries: group,
  };
}

const NOUNS: Readonly<Record<Medication['detail']['resource'], string>> = {
  MedicationRequest: 'order',
  MedicationStatement: 'statement',
  MedicationAdministration: 'dose',
  MedicationDispense: 'dispense',
};

export const nounOf = ({ detail }: Medication): string => NOUNS[detail.resource];

/** "2021-06-01", or "12 orders, 2 statements, 2019-03-04 to 2021-06-01". */
function times(group: Medication[]): string {
  const [only] = group as [Medication];
  if (group.length === 1) return periodOf(only);
  const kinds = [...Map.groupBy(group, nounOf)];
  const days = group.flatMap(({ dayText }) => dayText ?? []).sort();
  return listed(
    [...kinds.map(([noun, all]) => counted(all.length, noun)), span(days[0] ?? null, days.at(-1) ?? null)],
    ', ',
  );
}
