import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildHistory } from '../render/history.ts';
import { renderFactTable, join, joinParagraphs, renderSection, type Fact } from '../render/markdown.ts';
import { formatName } from '../render/name-text.ts';
import { escapeInline } from '../render/escape-markdown.ts';
import { defineTool } from './tool.ts';
import { HistoryWindow, resolveWindow, type Window } from '../render/window.ts';
import { formatDate, formatInForceNote, formatStatement } from '../render/date-text.ts';

type Allergy = Pick<
  StoredEntry<'allergy'>,
  'title' | 'dayText' | 'current' | 'detail' | 'organization' | 'documentPath' | 'reference'
>;

export const getAllergies = defineTool({
  name: 'get_allergies',
  title: 'Allergies',
  description:
    'Allergies and intolerances with reactions and criticality, whatever their date up to the end of the window; statements such as "No known allergies" with the day they were made.',
  input: HistoryWindow,
  run: (deps, access, input) =>
    buildHistory(deps, access, {
      title: 'Allergies and intolerances',
      plural: 'allergies or intolerances',
      subject: { kind: 'allergy', alwaysShown: 'all' },
      window: resolveWindow(deps.clock, input),
      absenceNote: ABSENCE_NOTE,
      render: renderAllergySections,
    }),
});

/** A reader must never have to guess whether silence means "none". */
export const ABSENCE_NOTE = 'That does not mean that there are none: the record says nothing about them.';

function renderAllergySections(entries: StoredEntry<'allergy'>[], window: Window): string {
  const stated = entries.filter(({ detail }) => detail.none);
  const inForce = entries.filter(({ detail, current }) => !detail.none && current);
  const past = entries.filter(({ detail, current }) => !detail.none && !current);
  return joinParagraphs(
    inForce.length === 0
      ? null
      : renderSection(`In force (${inForce.length})`, renderAllergyTable(inForce, window)),
    past.length === 0
      ? null
      : renderSection(`Inactive, resolved or refuted (${past.length})`, renderAllergyTable(past, window)),
    stated.length === 0 ? null : renderSection('Statements', renderStatementTable(stated)),
  );
}

export function renderAllergyTable(entries: Allergy[], window: Window | null): string {
  const toFact = (entry: Allergy): Fact => {
    const { detail } = entry;
    const cells = [
      formatName(entry.title),
      `${formatDate(entry)}${formatInForceNote(entry, window, undefined)}`,
      escapeInline(join(detail.reactions)),
      escapeInline(detail.criticality === 'unable-to-assess' ? 'not assessed' : detail.criticality),
      escapeInline(join([detail.type, ...detail.categories], ', ')),
      renderStatus(entry),
      escapeInline(detail.note),
    ];
    return { cells, entries: [entry] };
  };
  return renderFactTable(
    ['Allergy', 'Recorded', 'Reaction', 'Criticality', 'Kind', 'Status', 'Note'],
    entries.map(toFact),
  );
}

/** "active, confirmed" is what a reader expects; what differs is told. */
function renderStatus({ detail }: Allergy): string {
  const { clinicalStatus, verification } = detail;
  return escapeInline(
    join(
      [
        clinicalStatus === 'active' ? null : (clinicalStatus ?? 'status not told'),
        verification === 'confirmed' ? null : verification,
      ],
      ', ',
    ),
  );
}

/** "No known allergies (stated 2019-05-01)" */
export function renderStatementTable(entries: Allergy[]): string {
  const toFact = (entry: Allergy): Fact => ({
    cells: [formatStatement(formatName(entry.title), entry), escapeInline(entry.detail.note)],
    entries: [entry],
  });
  return renderFactTable(['Statement', 'Note'], entries.map(toFact));
}
