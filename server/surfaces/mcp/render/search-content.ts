import type { Entry } from '../../../clinical/entries/entry.ts';
import { formatMeasure } from '../../../clinical/entries/measure.ts';
import type { Hit } from '../../../clinical/search/search.sql.ts';
import { buildSnippet, holdsAny } from '../../../clinical/search/snippet.ts';
import { renderObserved } from './entry-content.ts';
import { escapeInline } from './escape-markdown.ts';
import { formatFlag } from './flag-text.ts';
import { join } from './markdown.ts';
import { formatConditions, formatVital } from './measure-text.ts';
import { formatStatus } from './status-text.ts';

export interface AskedWords {
  /** Words that a snippet is cut around. */
  words: readonly string[];
  today: string;
}

const MAX_LENGTH = 300;

type Measured = Extract<Entry, { kind: 'lab' | 'vital' | 'social_history' | 'survey' }>;

const isMeasured = (entry: Entry): entry is Measured =>
  ['lab', 'vital', 'social_history', 'survey'].includes(entry.kind);

/** Renders what an entry holds beyond its title: in which sense it is so, its value, and the words around the hit. */
export const renderFoundContent = (
  { entry, body }: Pick<Hit, 'entry' | 'body'>,
  { words, today }: AskedWords,
): string => {
  const around = renderAround(entry.kind === 'note' ? body : body.replaceAll('\n', '; '), words);
  return join([
    formatStatus(entry, today),
    isMeasured(entry) ? renderMeasured(entry, words) || around : around,
  ]);
};

/** A value; the passage with the words where it is longer than a cell, or where its note alone holds them. */
function renderMeasured(entry: Measured, words: readonly string[]): string {
  const { detail, title } = entry;
  const value = join([
    entry.kind === 'vital' ? join([formatVital(entry), formatFlag(detail)]) : renderObserved(detail),
    formatConditions(entry),
  ]);
  if (value.length > MAX_LENGTH)
    return join([renderAround(formatMeasure(detail) ?? '', words), formatFlag(detail)]);
  const isOnlyNoted =
    detail.note !== null && holdsAny(detail.note, words) && !holdsAny(`${title} ${value}`, words);
  return join([value, isOnlyNoted && `note: ${renderAround(detail.note ?? '', words)}`]);
}

const renderAround = (text: string, words: readonly string[]): string =>
  escapeInline(buildSnippet(text, words), MAX_LENGTH);
