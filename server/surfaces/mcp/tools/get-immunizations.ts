import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildHistory } from '../render/history.ts';
import { groupListed, type Listing } from '../render/listing.ts';
import {
  buildFactTable,
  join,
  renderCountedSection,
  renderSection,
  type Fact,
  type Block,
} from '../render/markdown.ts';
import { formatName, STATUS_NOT_RECORDED } from '../render/name-text.ts';
import { formatPotency } from '../render/status-text.ts';
import { renderStatementTable } from '../render/statements.ts';
import { escapeInline, escapeValue } from '../render/escape-markdown.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';
import { formatDate } from '../render/date-text.ts';

type Immunization = StoredEntry<'immunization'>;

export const getImmunizations = defineTool({
  name: 'get_immunizations',
  title: 'Immunizations',
  description: 'Vaccinations of the window; those not given apart, with the reason.',
  input: HistoryWindow,
  isKept: true,
  run: (deps, access, input) =>
    buildHistory(deps, access, {
      title: 'Immunizations',
      plural: 'immunizations',
      subject: { kind: 'immunization', alwaysShown: 'none' },
      window: resolveWindow(deps.clock, input),
      render: renderImmunizationSections,
    }),
});

const classifyImmunization = ({ detail }: Immunization): 'stated' | 'given' | 'notGiven' =>
  detail.none ? 'stated' : detail.notDone ? 'notGiven' : 'given';

function renderImmunizationSections(entries: Immunization[], { omitted }: Listing<'immunization'>): Block {
  const getGroup = groupListed(entries, omitted, classifyImmunization);
  const stated = getGroup('stated').items;
  return [
    renderCountedSection('Given', getGroup('given'), renderVaccineTable),
    renderCountedSection('Not given', getGroup('notGiven'), renderVaccineTable),
    stated.length === 0 ? null : renderSection('Statements', renderStatementTable(stated)),
  ];
}

function renderVaccineTable(entries: readonly Immunization[]): Block {
  const toFact = (entry: Immunization): Fact => {
    const { detail, status } = entry;
    const cells = [
      formatDate(entry),
      formatName(entry.title),
      escapeValue(detail.dose),
      escapeValue(detail.lot),
      detail.notDone ? escapeValue(detail.notDoneReason ?? 'reason not recorded') : '',
      join([
        status === 'completed' || detail.notDone ? '' : escapeValue(status ?? STATUS_NOT_RECORDED),
        formatPotency(detail),
      ]),
      join([
        detail.reactions === undefined ? null : `reaction: ${escapeValue(detail.reactions, 200)}`,
        escapeInline(detail.reported ?? null, 120),
        escapeValue(detail.note),
      ]),
    ];
    return { cells, entries: [entry] };
  };
  return buildFactTable(['Date', 'Vaccine', 'Dose', 'Lot', 'Why not', 'Status', 'Note'], entries.map(toFact));
}
