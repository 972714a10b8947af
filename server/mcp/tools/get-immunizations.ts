import type { Recorded } from '../../records/clinical.sql.ts';
import { history } from '../history.ts';
import { factTable, paragraphs, section, type Fact } from '../markdown.ts';
import { nameText } from '../name-text.ts';
import { inline } from '../record-text.ts';
import { tool } from '../tool.ts';
import { HistoryWindow, windowOf } from '../window.ts';
import { dateOf } from '../written-dates.ts';

type Immunization = Recorded<'immunization'>;

export const getImmunizations = tool({
  name: 'get_immunizations',
  title: 'Immunizations',
  description:
    'Vaccinations given in the window, newest first; vaccinations recorded as not given are listed apart, with the reason.',
  input: HistoryWindow,
  run: (deps, access, input) =>
    history(deps, access, {
      title: 'Immunizations',
      plural: 'immunizations',
      subject: { kind: 'immunization', standing: 'none' },
      window: windowOf(deps.clock, input),
      write: immunizationSections,
    }),
});

function immunizationSections(entries: Immunization[]): string {
  const given = entries.filter(({ detail }) => !detail.notDone);
  const notGiven = entries.filter(({ detail }) => detail.notDone);
  return paragraphs(
    given.length === 0 ? null : section(`Given (${given.length})`, vaccineTable(given)),
    notGiven.length === 0 ? null : section(`Not given (${notGiven.length})`, vaccineTable(notGiven)),
  );
}

function vaccineTable(entries: Immunization[]): string {
  const fact = (entry: Immunization): Fact => {
    const { detail, status } = entry;
    const cells = [
      dateOf(entry),
      nameText(entry.title),
      inline(detail.dose),
      inline(detail.lot),
      detail.notDone ? inline(detail.notDoneReason ?? 'reason not told') : '',
      status === 'completed' || detail.notDone ? '' : inline(status ?? 'status not told'),
      inline(detail.note),
    ];
    return { cells, entries: [entry] };
  };
  return factTable(['Date', 'Vaccine', 'Dose', 'Lot', 'Why not', 'Status', 'Note'], entries.map(fact));
}
