import { readRecord, type RecordAccess } from '../consent/record-access.ts';
import { askedWords } from '../search/asked-words.ts';
import { searchNotes, type FoundNotes, type MatchingNote } from '../search/search-notes.sql.ts';
import { snippet } from '../search/snippet.ts';
import { fit, type Shown } from './fit.ts';
import { disclosure, lastLine, omission, periodText, whereOlder } from './history.ts';
import { listed, paragraphs } from './markdown.ts';
import { nameText } from './name-text.ts';
import { inline } from './record-text.ts';
import { noWords, takenOtherwise } from './search-words.ts';
import { referencesOf, sourceOf } from './source.ts';
import type { ToolAnswer, ToolDeps } from './tool.ts';
import type { Window } from './window.ts';
import { inRecord, notShared, withheldNote } from './withheld-text.ts';
import { momentOf } from './written-dates.ts';

interface NoteSearch {
  query: string;
  window: Window;
}

const NOTHING: FoundNotes = { words: [], every: false, dated: [], undated: [], inWindow: 0, olderDay: null };

/** Search mode: notes of the window that hold the words, newest first, with the passages that do. */
export async function noteSearchAnswer(
  deps: ToolDeps,
  access: RecordAccess,
  search: NoteSearch,
): Promise<ToolAnswer> {
  const { rows, consentRecordId, withheld } = await readRecord(deps, access, {
    found: searchNotes(access, askedWords(search.query), search.window),
  });
  const found = rows.found[0] ?? NOTHING;
  const write = (shown: Shown<MatchingNote>): string => answerText({ ...search, withheld }, found, shown);
  const shown = fit<MatchingNote>({ standing: [], ...found }, write);
  return {
    text: write(shown),
    consentRecordId,
    audit: disclosure([...shown.dated, ...shown.undated]),
  };
}

interface Asked extends NoteSearch {
  /** What the consent leaves out. */
  withheld: number;
}

function answerText(
  { query, window, withheld }: Asked,
  found: FoundNotes,
  shown: Shown<MatchingNote>,
): string {
  const words = found.words.map(({ taken }) => taken);
  const notes = [...shown.dated, ...shown.undated];
  return paragraphs(
    `# Notes with: ${inline(query, 120)}`,
    found.words.length === 0 ? noWords : takenOtherwise(found.words, withheld),
    notes.length > 0 && !found.every ? 'No note holds all of these words; these hold some of them.' : null,
    ...noteTexts(notes, words),
    found.words.length > 0 && notes.length === 0 ? emptyText({ window, withheld }, found.olderDay) : null,
    omission(shown.omitted, 'notes'),
    countText(found.inWindow + shown.undated.length, notes.length),
    withheldNote(withheld),
    lastLine(window, shown),
  );
}

/** Notes repeat themselves from visit to visit: a passage that was told is only named again. */
function noteTexts(notes: readonly MatchingNote[], words: readonly string[]): string[] {
  const toldOn = new Map<string, string>();
  return notes.map((note) => {
    const lines = note.passages.map((passage) => {
      const line = inline(snippet(passage, words), 400);
      const before = toldOn.get(line);
      if (before === undefined) toldOn.set(line, momentOf(note));
      return before === undefined ? `- ${line}` : `- as in the note of ${before}`;
    });
    const { author } = note.detail;
    const source = sourceOf([note]);
    const by = inline(author, 120);
    const about = [by === source ? '' : by, inline(note.visit, 200), source, referencesOf([[note]])];
    const heading = `## ${momentOf(note)} · ${nameText(note.title, 200)}`;
    return paragraphs(heading, [...new Set(lines)].join('\n'), listed(about, ' · '));
  });
}

function emptyText(
  { window, withheld }: Pick<Asked, 'window' | 'withheld'>,
  olderDay: string | null,
): string {
  if (olderDay !== null) return `No note ${periodText(window)} matches. ${whereOlder(olderDay)}`;
  return (
    notShared(withheld, 'CLINICAL_NOTES') ??
    (window.before === null
      ? `No note ${inRecord(withheld)} matches.`
      : `No note before ${window.before} matches.`)
  );
}

function countText(matching: number, shown: number): string {
  const count = `${matching} matching ${matching === 1 ? 'note' : 'notes'}`;
  return shown < matching ? `${count} in this period, the newest ${shown} shown` : count;
}
