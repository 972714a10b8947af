import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { formatDate, formatInForceNote } from './date-text.ts';
import { escapeInline, escapeValue } from './escape-markdown.ts';
import { buildFactTable, join, type FactTable } from './markdown.ts';
import { formatName, STATUS_NOT_RECORDED } from './name-text.ts';
import { renderStatementTable } from './statements.ts';
import { formatClinicalStatus } from './status-text.ts';
import type { Window } from './window.ts';

type Allergy = Pick<
  StoredEntry<'allergy'>,
  'title' | 'dayText' | 'current' | 'detail' | 'organization' | 'documentPath' | 'reference'
>;

/** A reader must never have to guess whether an empty list means "none". */
export const ABSENCE_NOTE = 'That does not mean that there are none: the record says nothing about them.';

export const ALLERGY_HEADINGS = [
  'Allergy',
  'Onset or recorded',
  'Reaction',
  'Criticality',
  'Kind',
  'Status',
  'Note',
] as const;

export const renderAllergyTable = (entries: readonly Allergy[], window: Window | null): FactTable =>
  buildFactTable(
    ALLERGY_HEADINGS,
    entries.map((entry) => ({
      cells: [
        formatName(entry.title),
        `${formatDate(entry)}${formatInForceNote(entry, window, undefined)}`,
        escapeValue(join(entry.detail.reactions)),
        formatCriticality(entry),
        formatAllergyKind(entry),
        formatAllergyStatus(entry),
        formatAllergyNote(entry),
      ],
      entries: [entry],
    })),
  );

type Detailed = Pick<Allergy, 'detail'>;

export const formatCriticality = ({ detail: { criticality } }: Detailed): string =>
  escapeValue(criticality === 'unable-to-assess' ? 'not assessed' : criticality);

export const formatAllergyKind = ({ detail }: Detailed): string =>
  escapeValue(join([detail.type, ...detail.categories], ', '));

/** "active, confirmed" is what a reader expects; only a status that differs is shown. */
export function formatAllergyStatus({ detail }: Detailed): string {
  const { clinicalStatus, verification } = detail;
  const status = [
    clinicalStatus === 'active' ? null : (clinicalStatus ?? STATUS_NOT_RECORDED),
    verification === 'confirmed' ? null : verification,
  ];
  return escapeValue(join(status, ', '));
}

export const formatAllergyNote = ({ detail }: Detailed): string =>
  join([
    detail.lastOccurrence === undefined ? null : `last reaction ${escapeInline(detail.lastOccurrence, 40)}`,
    detail.recorded === undefined ? null : `recorded ${detail.recorded}`,
    escapeValue(detail.note),
  ]);

export const renderAllergyStatements = (entries: readonly Allergy[]): FactTable =>
  renderStatementTable(entries, ({ detail }) => join([formatClinicalStatus(detail), detail.note]));
