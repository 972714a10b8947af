import type { DataMask } from '../../../../contract/brands.ts';
import type { ConsentedAccess } from '../../../consent/access/record-access.ts';
import {
  findVisit,
  findVisitNotes,
  type StoredEntry,
  type VisitNote as Note,
} from '../../../clinical/queries/clinical.sql.ts';
import { estimateTokens, MAX_RESULT_LENGTH, MAX_RESULT_TOKENS } from './fit-length.ts';
import { buildDisclosure } from './disclosure.ts';
import { cutText } from './cut-text.ts';
import { formatNumber, pluralize } from './format-number.ts';
import { join, joinParagraphs } from './markdown.ts';
import { formatName } from './name-text.ts';
import { escapeInline, fenced } from './escape-markdown.ts';
import { readForAnswer } from './read-answer.ts';
import { formatReference } from './reference-text.ts';
import { renderReference, renderProvenance } from './provenance.ts';
import { formatNoteStatus } from './status-text.ts';
import { renderUnreadable } from './unreadable-text.ts';
import type { ToolResult, ToolDeps } from '../tool.ts';
import {
  renderInRecord,
  renderNotShared,
  renderRecorded,
  renderRecordName,
  renderWithheldNote,
} from './withheld-text.ts';
import { formatDateTime, formatPeriod } from './date-text.ts';

/** Encounter mode: returns every note of a visit in full, newest first. */
export async function buildVisitNotes(
  deps: ToolDeps,
  access: ConsentedAccess,
  encounterId: string,
): Promise<ToolResult> {
  const { rows, consentRecordId, withheld, notice } = await readForAnswer(deps, access, {
    visit: findVisit(access, encounterId),
    notes: findVisitNotes(access, encounterId),
  });
  const visit = rows.visit[0] ?? null;
  const { text, shown } = renderVisitNotes({ encounterId, notice, withheld }, visit, rows.notes);
  return {
    text: joinParagraphs(text, renderWithheldNote(withheld)),
    consentRecordId,
    audit: buildDisclosure([...(visit ? [visit] : []), ...shown]),
  };
}

function renderVisitNotes(
  { encounterId, notice, withheld }: { encounterId: string; notice: string | null; withheld: DataMask },
  visit: StoredEntry<'visit'> | null,
  notes: readonly Note[],
): { text: string; shown: Note[] } {
  const name = visit === null ? `Encounter/${escapeInline(encounterId, 200)}` : formatReference(visit);
  if (visit === null && notes.length === 0)
    return {
      text: joinParagraphs(
        renderNotShared(withheld, 'VISITS') ??
          `${renderRecordName(withheld)} holds no visit ${name}, or several that begin so. \`get_visits\` lists the visits with the ids to use here.`,
        notice,
      ),
      shown: [],
    };
  const head = joinParagraphs(
    `# Notes of a visit`,
    notice,
    visit === null
      ? `${name}: the visit itself is not ${renderInRecord(withheld)}.`
      : `${formatName(visit.title)}, ${formatPeriod(visit)} · ${renderProvenance([visit])} · ${name}`,
  );
  if (notes.length === 0) return { text: joinParagraphs(head, renderNoNotes(withheld)), shown: [] };
  return renderNotes(head, notes);
}

const renderNoNotes = (withheld: DataMask): string =>
  renderNotShared(withheld, 'CLINICAL_NOTES') ?? `No notes are ${renderRecorded(withheld)} for this visit.`;

/** What an answer may still hold. */
interface Budget {
  length: number;
  tokens: number;
}

const measure = (text: string): Budget => ({ length: text.length + 2, tokens: estimateTokens(text) + 1 });
const fitsInto = (text: string, budget: Budget): boolean => {
  const { length, tokens } = measure(text);
  return length <= budget.length && tokens <= budget.tokens;
};

/** Reserved for the count and the note about withheld data. */
const RESERVED: Budget = { length: 1200, tokens: 400 };
const MIN_NOTE_LENGTH = 2000;

function renderNotes(head: string, notes: readonly Note[]): { text: string; shown: Note[] } {
  const parts = [head];
  const shown: Note[] = [];
  const budget = { length: MAX_RESULT_LENGTH - RESERVED.length, tokens: MAX_RESULT_TOKENS - RESERVED.tokens };
  const take = (text: string): void => {
    const { length, tokens } = measure(text);
    budget.length -= length;
    budget.tokens -= tokens;
  };
  take(head);
  const all = notes[0]?.noteCount ?? 0;
  if (all > 1) take(renderLeft(notes, all) ?? '');
  for (const note of notes) {
    const fullText = renderNote(note, note.textLength ?? 0);
    const isWhole = fitsInto(fullText, budget);
    const text = isWhole ? fullText : truncateNote(note, budget);
    if (text !== null) {
      parts.push(text);
      shown.push(note);
      take(text);
    }
    if (!isWhole) break;
  }
  return {
    text: joinParagraphs(
      ...parts,
      renderLeft(notes.slice(shown.length), all - shown.length),
      pluralize(all, 'note'),
    ),
    shown,
  };
}

/** As many as `get_details` takes in one call. */
const MAX_NAMED = 20;

/** Names the notes that do not fit; those that were not even read are listed with the documents of the record. */
function renderLeft(left: readonly Note[], count: number): string | null {
  if (count === 0) return null;
  const named = [...new Set(left.map(formatReference))].slice(0, MAX_NAMED);
  const further = count - left.filter((note) => named.includes(formatReference(note))).length;
  const rest =
    further > 0
      ? ` and ${formatNumber(further)} more, which \`get_other_records\` with kind \`document\` names`
      : '';
  return `${pluralize(count, 'further note')} not shown, for the length of one answer. \`get_details\` reads them: ${named.join(', ')}${rest}.`;
}

/** Truncates a note to the budget; returns null when too little of it would remain. */
function truncateNote(note: Note, budget: Budget): string | null {
  if (note.detail.text === null || budget.length < MIN_NOTE_LENGTH || budget.tokens < MIN_NOTE_LENGTH / 3)
    return null;
  let length = budget.length;
  // Escaping makes text longer; a few rounds find a length that fits.
  for (let round = 0; round < 20; round++) {
    const cut = renderNote(note, length);
    if (fitsInto(cut, budget)) return cut;
    length = Math.floor(length * 0.9) - 200;
  }
  return null;
}

/** Renders so many characters of a note, and where the rest of it is read. */
function renderNote(note: Note, length: number): string {
  const { detail, textLength } = note;
  // The organization may also be the author; the set names it once.
  const attributes = new Set([
    formatDateTime(note),
    escapeInline(detail.writtenDate ?? null, 120),
    escapeInline(detail.author, 120),
    formatNoteStatus(note),
    renderProvenance([note]),
    renderReference(note, 1),
  ]);
  const head = [`## ${formatName(note.title, 200)}`, join([...attributes], ' · ')];
  if (detail.text === null)
    return joinParagraphs(...head, renderUnreadable('The text of this note', detail.unreadable));
  const { text, end } = cutText(detail.text, length);
  const further = (textLength ?? end) - end;
  return joinParagraphs(
    ...head,
    fenced(text),
    further === 0
      ? null
      : `${formatNumber(further)} further characters of this note: \`get_details\` reads them by \`${formatReference(note)} from ${end}\`.`,
  );
}
