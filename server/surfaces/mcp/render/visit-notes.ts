import type { DataMask } from '../../../../contract/brands.ts';
import { readRecord, type RecordAccess } from '../../../consent/access/record-access.ts';
import {
  MAX_NOTES,
  findVisit,
  findVisitNotes,
  type StoredEntry,
} from '../../../clinical/queries/clinical.sql.ts';
import { MAX_RESULT_LENGTH } from './fit-to-budget.ts';
import { buildDisclosure } from './disclosure.ts';
import { pluralize, join, formatNumber, joinParagraphs } from './markdown.ts';
import { formatName } from './name-text.ts';
import { fenced, escapeInline, truncate } from './escape-markdown.ts';
import { renderReferences, renderProvenance } from './provenance.ts';
import type { ToolResult, ToolDeps } from '../tool.ts';
import {
  renderInRecord,
  renderNotShared,
  renderRecorded,
  renderRecordName,
  renderWithheldNote,
} from './withheld-text.ts';
import { formatDateTime, formatPeriod } from './date-text.ts';

type Note = StoredEntry<'note'>;

/** Encounter mode: returns every note of a visit in full, newest first. */
export async function buildVisitNotes(
  deps: ToolDeps,
  access: RecordAccess,
  encounterId: string,
): Promise<ToolResult> {
  const { rows, consentRecordId, withheld } = await readRecord(deps, access, {
    visit: findVisit(access, encounterId),
    notes: findVisitNotes(access, encounterId),
  });
  const visit = rows.visit[0] ?? null;
  const { text, shown } = renderVisitNotes({ encounterId, withheld }, visit, rows.notes);
  return {
    text: joinParagraphs(text, renderWithheldNote(withheld)),
    consentRecordId,
    audit: buildDisclosure([...(visit ? [visit] : []), ...shown]),
  };
}

function renderVisitNotes(
  { encounterId, withheld }: { encounterId: string; withheld: DataMask },
  visit: StoredEntry<'visit'> | null,
  notes: readonly Note[],
): { text: string; shown: Note[] } {
  const name = `Encounter/${escapeInline(encounterId, 200)}`;
  if (visit === null && notes.length === 0)
    return {
      text:
        renderNotShared(withheld, 'VISITS') ??
        `${renderRecordName(withheld)} holds no visit ${name}. \`get_visits\` lists the visits with the ids to use here.`,
      shown: [],
    };
  const head = joinParagraphs(
    `# Notes of a visit`,
    visit === null
      ? `${name}: the visit itself is not ${renderInRecord(withheld)}.`
      : `${formatName(visit.title)}, ${formatPeriod(visit)} · ${renderProvenance([visit])} · ${name}`,
  );
  if (notes.length === 0) return { text: joinParagraphs(head, renderNoNotes(withheld)), shown: [] };
  return renderNotes(head, notes);
}

const renderNoNotes = (withheld: DataMask): string =>
  renderNotShared(withheld, 'CLINICAL_NOTES') ?? `No notes are ${renderRecorded(withheld)} for this visit.`;

/** Characters reserved for the notice, the count, and the note about withheld data. */
const RESERVED_LENGTH = 1200;

function renderNotes(head: string, notes: readonly Note[]): { text: string; shown: Note[] } {
  const parts = [head];
  const shown: Note[] = [];
  let budget = MAX_RESULT_LENGTH - RESERVED_LENGTH - head.length;
  let notice: string | null = null;
  for (const note of notes) {
    const fullText = renderNote(note, note.detail.text);
    if (fullText.length + 2 > budget) {
      const cut = truncateNote(note, budget);
      if (cut !== null) {
        parts.push(cut);
        shown.push(note);
      }
      notice = `Cut at ${formatNumber(MAX_RESULT_LENGTH)} characters: ${cut === null ? '' : 'the last note shown is not complete; '}${pluralize(notes.length - shown.length, 'further note')} not shown. Search mode (\`query\`) finds passages of them.`;
      break;
    }
    parts.push(fullText);
    shown.push(note);
    budget -= fullText.length + 2;
  }
  const limit =
    notes.length < MAX_NOTES
      ? null
      : `Only the newest ${MAX_NOTES} notes of a visit are read; if there are more, search mode (\`query\`) finds passages of them.`;
  return { text: joinParagraphs(...parts, notice, limit, pluralize(notes.length, 'note')), shown };
}

/** Truncates a note to the budget; returns null when too little of it would remain. */
function truncateNote(note: Note, budget: number): string | null {
  const { text } = note.detail;
  if (text === null || budget < 2000) return null;
  let length = budget;
  // Escaping makes text longer; a few rounds find a length that fits.
  for (let round = 0; round < 20; round++) {
    const cut = renderNote(note, truncate(text, length));
    if (cut.length + 2 <= budget) return cut;
    length = Math.floor(length * 0.9) - 200;
  }
  return null;
}

function renderNote(note: Note, text: string | null): string {
  const { detail } = note;
  // The organization may also be the author; the set names it once.
  const attributes = new Set([
    formatDateTime(note),
    escapeInline(detail.author, 120),
    escapeInline(detail.docStatus),
    renderProvenance([note]),
    renderReferences([[note]]),
  ]);
  const body =
    text === null
      ? `The text of this note can't be read here (${escapeInline(detail.unreadable ?? 'no content', 120)}).`
      : fenced(text);
  return joinParagraphs(`## ${formatName(note.title, 200)}`, join([...attributes], ' · '), body);
}
