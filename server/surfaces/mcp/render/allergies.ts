import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { formatDate, formatInForceNote } from './date-text.ts';
import { escapeInline, escapeValue } from './escape-markdown.ts';
import { buildFactTable, join, type Fact, type FactTable } from './markdown.ts';
import { formatName, STATUS_NOT_RECORDED } from './name-text.ts';
import { renderStatementTable } from './statements.ts';
import { formatClinicalStatus } from './status-text.ts';
import type { Window } from './window.ts';

type Allergy = Pick<
  StoredEntry<'allergy'>,
  'title' | 'dayText' | 'current' | 'detail' | 'organization' | 'documentPath' | 'reference'
> & {
  /** Of a group: how many entries it has, and what others say against it. */ times?: number;
  ruledOut?: string | null;
};

/** A reader must never have to guess whether an empty list means "none". */
export const ABSENCE_NOTE = 'That does not mean that there are none: the record says nothing about them.';

export function renderAllergyTable(entries: readonly Allergy[], window: Window | null): FactTable {
  const toFact = (entry: Allergy): Fact => {
    const { detail } = entry;
    const cells = [
      formatName(entry.title),
      `${formatDate(entry)}${formatInForceNote(entry, window, undefined)}`,
      escapeValue(join(detail.reactions)),
      escapeValue(detail.criticality === 'unable-to-assess' ? 'not assessed' : detail.criticality),
      escapeValue(join([detail.type, ...detail.categories], ', ')),
      renderStatus(entry),
      join([
        detail.lastOccurrence === undefined
          ? null
          : `last reaction ${escapeInline(detail.lastOccurrence, 40)}`,
        escapeValue(detail.note),
      ]),
    ];
    return { cells, entries: [entry], ...(entry.times !== undefined && { count: entry.times }) };
  };
  return buildFactTable(
    ['Allergy', 'Recorded', 'Reaction', 'Criticality', 'Kind', 'Status', 'Note'],
    entries.map(toFact),
  );
}

/** "active, confirmed" is what a reader expects; only a status that differs is shown. */
function renderStatus({ detail, ruledOut = null }: Allergy): string {
  const { clinicalStatus, verification } = detail;
  const status = [
    clinicalStatus === 'active' ? null : (clinicalStatus ?? STATUS_NOT_RECORDED),
    verification === 'confirmed' ? null : verification,
  ];
  return join([escapeValue(join(status, ', ')), ruledOut]);
}

export const renderAllergyStatements = (entries: readonly Allergy[]): FactTable =>
  renderStatementTable(entries, ({ detail }) => join([formatClinicalStatus(detail), detail.note]));
