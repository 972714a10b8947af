import { readRecord, type RecordAccess } from '../consent/record-access.ts';
import { MOST_NOTES, visitEntry, visitNotes, type Recorded } from '../records/clinical.sql.ts';
import { LONGEST_ANSWER } from './fit.ts';
import { disclosure } from './history.ts';
import { counted, listed, number, paragraphs } from './markdown.ts';
import { nameText } from './name-text.ts';
import { fenced, inline, shortened } from './record-text.ts';
import { referencesOf, sourceOf } from './source.ts';
import type { ToolAnswer, ToolDeps } from './tool.ts';
import { inRecord, notShared, recorded, theRecord, withheldNote } from './withheld-text.ts';
import { momentOf, periodOf } from './written-dates.ts';

type Note = Recorded<'note'>;

/** Encounter mode: every note of a visit in full, newest first. */
export async function visitNotesAnswer(
  deps: ToolDeps,
  access: RecordAccess,
  encounterId: string,
): Promise<ToolAnswer> {
  const { rows, consentRecordId, withheld } = await readRecord(deps, access, {
    visit: visitEntry(access, encounterId),
    notes: visitNotes(access, encounterId),
  });
  const visit = rows.visit[0] ?? null;
  const { text, shown } = answerText({ encounterId, withheld }, visit, rows.notes);
  return {
    text: paragraphs(text, withheldNote(withheld)),
    consentRecordId,
    audit: disclosure([...(visit ? [visit] : []), ...shown]),
  };
}

function answerText(
  { encounterId, withheld }: { encounterId: string; withheld: number },
  visit: Recorded<'visit'> | null,
  notes: readonly Note[],
): { text: string; shown: Note[] } {
  const name = `Encounter/${inline(encounterId, 200)}`;
  if (visit === null && notes.length === 0)
    return {
      text:
        notShared(withheld, 'VISITS') ??
        `${theRecord(withheld)} holds no visit ${name}. \`get_visits\` lists the visits with the ids to use here.`,
      shown: [],
    };
  const head = paragraphs(
    `# Notes of a visit`,
    visit === null
      ? `${name}: the visit itself is not ${inRecord(withheld)}.`
      : `${nameText(visit.title)}, ${periodOf(visit)} · ${sourceOf([visit])} · ${name}`,
  );
  if (notes.length === 0) return { text: paragraphs(head, noNotes(withheld)), shown: [] };
  return withNotes(head, notes);
}

const noNotes = (withheld: number): string =>
  notShared(withheld, 'CLINICAL_NOTES') ?? `No notes are ${recorded(withheld)} for this visit.`;

/** Room for the notice, the count, and what is said of what is withheld. */
const RESERVE = 1200;

function withNotes(head: string, notes: readonly Note[]): { text: string; shown: Note[] } {
  const parts = [head];
  const shown: Note[] = [];
  let room = LONGEST_ANSWER - RESERVE - head.length;
  let notice: string | null = null;
  for (const note of notes) {
    const whole = noteText(note, note.detail.text);
    if (whole.length + 2 > room) {
      const cut = cutNote(note, room);
      if (cut !== null) {
        parts.push(cut);
        shown.push(note);
      }
      notice = `Cut at ${number(LONGEST_ANSWER)} characters: ${cut === null ? '' : 'the last note shown is not complete; '}${counted(notes.length - shown.length, 'further note')} not shown. Search mode (\`query\`) finds passages of them.`;
      break;
    }
    parts.push(whole);
    shown.push(note);
    room -= whole.length + 2;
  }
  const limit =
    notes.length < MOST_NOTES
      ? null
      : `Only the newest ${MOST_NOTES} notes of a visit are read; if there are more, search mode (\`query\`) finds passages of them.`;
  return { text: paragraphs(...parts, notice, limit, counted(notes.length, 'note')), shown };
}

/** As much of a note as there is room for; null when that is too little to be read. */
function cutNote(note: Note, room: number): string | null {
  const { text } = note.detail;
  if (text === null || room < 2000) return null;
  let length = room;
  // Showing what is invisible makes text longer; a few rounds find what fits.
  for (let round = 0; round < 20; round++) {
    const cut = noteText(note, shortened(text, length));
    if (cut.length + 2 <= room) return cut;
    length = Math.floor(length * 0.9) - 200;
  }
  return null;
}

function noteText(note: Note, text: string | null): string {
  const { detail } = note;
  // Where nobody else wrote it, the organization is its author too.
  const about = new Set([
    momentOf(note),
    inline(detail.author, 120),
    inline(detail.docStatus),
    sourceOf([note]),
    referencesOf([[note]]),
  ]);
  const body =
    text === null
      ? `The text of this note can't be read here (${inline(detail.unreadable ?? 'no content', 120)}).`
      : fenced(text);
  return paragraphs(`## ${nameText(note.title, 200)}`, listed([...about], ' · '), body);
}
