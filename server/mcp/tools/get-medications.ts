import type { Recorded } from '../../records/clinical.sql.ts';
import { history, type Quiet } from '../history.ts';
import { counted, factTable, listed, paragraphs, section, type Fact } from '../markdown.ts';
import { byPlace, nounOf, PLACES, statusText, type Place } from '../medication-place.ts';
import { namesText, nameText } from '../name-text.ts';
import { inline } from '../record-text.ts';
import { tool } from '../tool.ts';
import { HistoryWindow, windowOf, type Window } from '../window.ts';
import { inForceSince, periodOf, QUIET_NOTE, severalTimes, statedText } from '../written-dates.ts';

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

interface Section {
  place: Place;
  window: Window;
  quiet: Quiet;
}

function medicationSections(entries: Medication[], window: Window, quiet: Quiet): string {
  const stated = entries.filter(({ detail }) => detail.none);
  const places = byPlace(
    entries.filter(({ detail }) => !detail.none),
    window.today,
  );
  return paragraphs(
    ...PLACES.map((place) => {
      const drugs = places.get(place) ?? [];
      return drugs.length === 0
        ? null
        : section(`${place} (${drugs.length})`, drugTable(drugs, { place, window, quiet }));
    }),
    section('Statements', statements(stated)),
  );
}

const statements = (entries: Medication[]): string =>
  entries.length === 0
    ? ''
    : factTable(
        ['Statement'],
        entries.map((entry) => ({ cells: [statedText(nameText(entry.title), entry)], entries: [entry] })),
      );

function drugTable(drugs: Medication[][], at: Section): string {
  const { place, quiet } = at;
  const isQuiet = place === 'Current' && drugs.some(([told]) => told && quiet.has(told.groupKey));
  return paragraphs(
    factTable(
      ['Medication', place === 'Current' ? 'Ordered' : 'When', 'Dosage', 'Status', 'Reason', 'By', 'Note'],
      drugs.map((drug) => drugFact(drug, at)),
    ),
    isQuiet ? QUIET_NOTE : null,
  );
}

/** Told by the newest entry in force, else the newest. */
function drugFact(drug: Medication[], { place, window, quiet }: Section): Fact {
  const [told] = drug as [Medication];
  const { detail } = told;
  const dosage = detail.dosage ?? drug.find((each) => each.detail.dosage !== null)?.detail.dosage ?? null;
  const isCurrent = place === 'Current';
  const { text, lastDay } = times(drug);
  return {
    cells: [
      nameText(told.title),
      isCurrent
        ? `${text}${inForceSince({ day: told.day, dayText: lastDay }, window, quiet.get(told.groupKey))}`
        : text,
      nameText(dosage),
      isCurrent
        ? ''
        : listed([inline(statusText(told)), detail.intent === 'order' ? null : inline(detail.intent)], ', '),
      namesText(detail.reason),
      inline(detail.prescriber, 80),
      inline(detail.note),
    ],
    entries: drug,
  };
}

/** "2021-06-01", or "12 orders, 2 statements, 2019-03-04 to 2021-06-01". */
function times(drug: Medication[]): { text: string; lastDay: string | null } {
  const [only] = drug as [Medication];
  if (drug.length === 1) return { text: periodOf(only), lastDay: only.dayText };
  const counts = [...Map.groupBy(drug, nounOf)].map(([noun, all]) => counted(all.length, noun));
  const days = drug.flatMap(({ dayText }) => dayText ?? []).sort();
  const lastDay = days.at(-1) ?? null;
  const spread = { times: drug.length, dated: days.length, firstDay: days[0] ?? null, lastDay };
  return { text: severalTimes(counts, spread), lastDay };
}
