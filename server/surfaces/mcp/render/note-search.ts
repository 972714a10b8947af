import type { DataMask } from '../../../../contract/brands.ts';
import type { ConsentedAccess } from '../../../consent/access/record-access.ts';
import { parseQuery } from '../../../clinical/search/search-query.ts';
import {
  searchNotes,
  type NoteSearchResult,
  type MatchingNote,
} from '../../../clinical/search/search-notes.sql.ts';
import { findHoldings } from '../../../clinical/queries/summary.sql.ts';
import { buildSnippet } from '../../../clinical/search/snippet.ts';
import { fitToBudget } from './fit-to-budget.ts';
import type { PageSelection } from './page.ts';
import { buildDisclosure, listNotShared } from './disclosure.ts';
import { renderMetadataLine, renderOmission, formatWindow, renderOlderHint } from './paging.ts';
import { join, joinParagraphs } from './markdown.ts';
import { formatName } from './name-text.ts';
import { escapeInline } from './escape-markdown.ts';
import { NO_WORDS, renderCorrections } from './search-words.ts';
import { readForAnswer, type AnswerRead } from './read-answer.ts';
import { formatReference } from './reference-text.ts';
import { renderReference, renderProvenance } from './provenance.ts';
import type { ToolResult, ToolDeps } from '../tool.ts';
import { formatNoteStatus } from './status-text.ts';
import { renderUnreadable } from './unreadable-text.ts';
import { shiftWindow, type Window } from './window.ts';
import { renderInRecord, renderNotShared, renderWithheldNote } from './withheld-text.ts';
import { formatDateTime } from './date-text.ts';

interface NoteSearch {
  query: string;
  window: Window;
}

const NO_NOTES: NoteSearchResult = {
  words: [],
  hasEveryWord: false,
  dated: [],
  undated: [],
  inWindow: 0,
  olderDay: null,
};

/** Search mode: finds notes of the window that hold the words, newest first, with the matching passages. */
export async function runNoteSearch(
  deps: ToolDeps,
  access: ConsentedAccess,
  search: NoteSearch,
): Promise<ToolResult> {
  const readNotes = (window: Window) =>
    readForAnswer(deps, access, {
      found: searchNotes(access, parseQuery(search.query), window),
      holdings: findHoldings(access),
    });
  const read = await readNotes(search.window);
  const shifted = shiftWindow(search.window, read.rows.holdings);
  return shifted === null
    ? composeNoteSearch(search, read)
    : composeNoteSearch({ ...search, window: shifted }, await readNotes(shifted));
}

function composeNoteSearch(
  search: NoteSearch,
  { rows, consentRecordId, withheld, notice }: AnswerRead<{ found: ReturnType<typeof searchNotes> }>,
): ToolResult {
  const found = rows.found[0] ?? NO_NOTES;
  const render = (shown: PageSelection<MatchingNote>): string =>
    renderNoteSearch({ ...search, notice, withheld }, found, shown);
  const shown = fitToBudget<MatchingNote>({ alwaysShown: [], ...found }, render);
  return {
    text: render(shown),
    consentRecordId,
    audit: {
      ...buildDisclosure([...shown.dated, ...shown.undated]),
      ...listNotShared(withheld, 'note'),
    },
  };
}

interface NoteSearchContext extends NoteSearch {
  /** What stands over the answer: what is on its way into the record, or was read in part. */
  notice: string | null;
  /** The mask of labels that the consent withholds. */
  withheld: DataMask;
}

function renderNoteSearch(
  { query, window, notice, withheld }: NoteSearchContext,
  found: NoteSearchResult,
  shown: PageSelection<MatchingNote>,
): string {
  const words = found.words.map(({ readAs }) => readAs);
  const notes = [...shown.dated, ...shown.undated];
  return joinParagraphs(
    `# Notes with: ${escapeInline(query, 120)}`,
    notice,
    found.words.length === 0 ? NO_WORDS : renderCorrections(found.words, withheld),
    notes.length > 0 && !found.hasEveryWord
      ? 'No note contains all of these words; these contain some of them.'
      : null,
    ...renderNotes(notes, words),
    found.words.length > 0 && notes.length === 0
      ? renderEmpty({ words, window, withheld }, found.olderDay)
      : null,
    renderOmission(shown, { plural: 'notes', narrower: 'More words in `query` narrow them down.' }),
    renderCount(found.inWindow + shown.undated.length, notes.length),
    renderWithheldNote(withheld),
    renderMetadataLine(window, shown),
  );
}

/** Notes repeat themselves from visit to visit: a passage that was shown before is only referred to. */
function renderNotes(notes: readonly MatchingNote[], words: readonly string[]): string[] {
  const firstSeenOn = new Map<string, string>();
  return notes.map((note) => {
    const lines = note.passages.map((passage) => {
      const line = escapeInline(buildSnippet(passage, words), 400);
      if (line === '') return `- ${renderUnreadable('The text of this note', note.detail.unreadable)}`;
      const seenOn = firstSeenOn.get(line);
      if (seenOn === undefined) firstSeenOn.set(line, formatDateTime(note));
      return seenOn === undefined ? `- ${line}` : `- as in the note of ${seenOn}`;
    });
    const source = renderProvenance([note]);
    const by = escapeInline(note.detail.author, 120);
    const attributes = [
      by === source ? '' : by,
      formatNoteStatus(note),
      note.visit === null ? '' : formatReference({ reference: note.visit, similarIds: note.visitSimilarIds }),
      source,
      renderReference(note, 1),
    ];
    const heading = `## ${formatDateTime(note)} · ${formatName(note.title, 200)}`;
    return joinParagraphs(heading, [...new Set(lines)].join('\n'), join(attributes, ' · '));
  });
}

function renderEmpty(
  { words, window, withheld }: Pick<NoteSearchContext, 'window' | 'withheld'> & { words: readonly string[] },
  olderDay: string | null,
): string {
  if (olderDay !== null) return `No note ${formatWindow(window)} matches. ${renderOlderHint(olderDay)}`;
  const place = window.before === null ? renderInRecord(withheld) : `before ${window.before}`;
  return renderNotShared(withheld, 'CLINICAL_NOTES') ?? `No note ${place} matches. ${renderLookedFor(words)}`;
}

/** What a reader who finds nothing must know: the words were looked for as they are written. */
const renderLookedFor = (words: readonly string[]): string =>
  `Looked for as written, with plural and tenses: ${words.map((word) => `“${escapeInline(word, 60)}”`).join(', ')}. \`search\` goes by meaning: it finds what is said in other words.`;

function renderCount(matching: number, shown: number): string {
  const count = `${matching} matching ${matching === 1 ? 'note' : 'notes'}`;
  return shown < matching ? `${count} in this period, the newest ${shown} shown` : count;
}
