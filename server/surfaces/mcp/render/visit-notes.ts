import type { DataMask } from '../../../../contract/brands.ts';
import type { ConsentedAccess } from '../../../consent/access/record-access.ts';
import {
  MAX_NOTES,
  findVisit,
  findVisitNotes,
  type StoredEntry,
} from '../../../clinical/queries/clinical.sql.ts';
import { estimateTokens, MAX_RESULT_LENGTH, MAX_RESULT_TOKENS } from './fit-length.ts';
import { buildDisclosure } from './disclosure.ts';
import { pluralize, join, joinParagraphs } from './markdown.ts';
import { formatName } from './name-text.ts';
import { fenced, escapeInline, truncate } from './escape-markdown.ts';
import { readForAnswer } from './read-answer.ts';
import { formatReference } from './reference-text.ts';
import { renderReference, renderProvenance } from './provenance.ts';
import { formatNoteStatus } from './status-text.ts';
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

/** Reserved for the notice, the count, and the note about withheld data. */
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
  let notice: string | null = null;
  for (const note of notes) {
    const fullText = renderNote(note, note.detail.text);
    if (!fitsInto(fullText, budget)) {
      const cut = truncateNote(note, budget);
      if (cut !== null) {
        parts.push(cut);
        shown.push(note);
      }
      notice = `Cut at the length of one answer: ${cut === null ? '' : 'the last note shown is not complete; '}${pluralize(notes.length - shown.length, 'further note')} not shown. Search mode (\`query\`) finds passages of them.`;
      break;
    }
    parts.push(fullText);
    shown.push(note);
    take(fullText);
  }
  const limit =
    notes.length < MAX_NOTES
      ? null
      : `Only the newest ${MAX_NOTES} notes of a visit are read; if there are more, search mode (\`query\`) finds passages of them.`;
  return { text: joinParagraphs(...parts, notice, limit, pluralize(notes.length, 'note')), shown };
}

/** Truncates a note to the budget; returns null when too little of it would remain. */
function truncateNote(note: Note, budget: Budget): string | null {
  const { text } = note.detail;
  if (text === null || budget.length < MIN_NOTE_LENGTH || budget.tokens < MIN_NOTE_LENGTH / 3) return null;
  let length = budget.length;
  // Escaping makes text longer; a few rounds find a length that fits.
  for (let round = 0; round < 20; round++) {
    const cut = renderNote(note, truncate(text, length));
    if (fitsInto(cut, budget)) return cut;
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
    formatNoteStatus(note),
    renderProvenance([note]),
    renderReference(note, 1),
  ]);
  const body =
    text === null
      ? `The text of this note can't be read here (${escapeInline(detail.unreadable ?? 'no content', 120)}).`
      : fenced(text);
  return joinParagraphs(`## ${formatName(note.title, 200)}`, join([...attributes], ' · '), body);
}
