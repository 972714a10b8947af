import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { isRecordEntry, type OtherKind, type RecordKind } from '../../../clinical/entries/other-kinds.ts';
import { formatFactName } from './context-text.ts';
import { formatOccurrences, formatPeriod } from './date-text.ts';
import { renderObserved } from './entry-content.ts';
import { escapeInline, escapeValue } from './escape-markdown.ts';
import { renderLabPanels } from './lab-panels.ts';
import { buildFactTable, join, renderSection, type Block } from './markdown.ts';
import { formatName, STATUS_NOT_RECORDED } from './name-text.ts';
import { formatNoteStatus } from './status-text.ts';

/** Renders entries of one of the other kinds, newest first. */
export function renderOtherRecords(entries: StoredEntry<OtherKind | 'note'>[]): Block {
  const surveys = entries.filter((entry) => entry.kind === 'survey');
  if (surveys.length > 0) return renderLabPanels(surveys);
  const social = entries.filter((entry) => entry.kind === 'social_history');
  if (social.length > 0) return renderSocialTable(social);
  const notes = entries.filter((entry) => entry.kind === 'note');
  return [
    renderRecordTable(entries.filter(isRecordEntry)),
    notes.length === 0 ? null : renderSection('Letters, reports and notes', renderNoteTable(notes)),
  ];
}

/** Names notes without their words, which `get_details` and `search_clinical_notes` read. */
function renderNoteTable(notes: readonly StoredEntry<'note'>[]): Block {
  return [
    buildFactTable(
      ['Document', 'Date', 'By', 'Status', 'Not readable'],
      notes.map((note) => ({
        cells: [
          formatName(note.title, 200),
          formatPeriod(note),
          escapeInline(note.detail.author, 120),
          formatNoteStatus(note),
          escapeInline(note.detail.unreadable, 80),
        ],
        entries: [note],
      })),
    ),
    '`get_details` reads a document by its reference.',
  ];
}

/** The same question is asked at every visit: equal answers of one status are one row. */
function renderSocialTable(entries: readonly StoredEntry<'social_history'>[]): Block {
  const alike = Map.groupBy(
    entries,
    ({ groupKey, status, detail }) => `${groupKey}\n${status}\n${renderObserved(detail)}`,
  );
  return buildFactTable(
    ['Finding', 'Answer', 'When', 'Status', 'Note'],
    [...alike.values()].map((same) => {
      const [newest] = same as [StoredEntry<'social_history'>];
      return {
        cells: [
          formatName(newest.title),
          renderObserved(newest.detail),
          formatOccurrences(same, 'time'),
          newest.status === 'final' ? '' : escapeValue(newest.status ?? STATUS_NOT_RECORDED),
          join([...new Set(same.map(({ detail }) => escapeValue(detail.note, 300)))]),
        ],
        entries: same,
      };
    }),
  );
}

function renderRecordTable(entries: readonly Extract<StoredEntry, { kind: RecordKind }>[]): Block {
  if (entries.length === 0) return null;
  return buildFactTable(
    ['Type', 'Title', 'Date', 'Status', 'Content', 'Reason'],
    entries.map((entry) => ({
      cells: [
        formatType(entry.detail.type),
        formatName(entry.title),
        formatPeriod(entry),
        escapeValue(entry.status),
        escapeValue(entry.detail.text),
        join((entry.context ?? []).map((fact) => formatFactName(fact))),
      ],
      entries: [entry],
    })),
  );
}

/** "CarePlan" → "Care plan" */
export const formatType = (type: string): string =>
  escapeInline(
    type.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    60,
  );
