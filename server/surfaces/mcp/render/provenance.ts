import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import type { MatchedEntry } from '../../../clinical/queries/matches.sql.ts';
import { escapeInline } from './escape-markdown.ts';
import { formatReference } from './reference-text.ts';

export type Provenance = Pick<
  StoredEntry,
  'organization' | 'documentPath' | 'reference' | 'similarIds' | 'matches'
> & {
  /** Of an entry that stands for several: the sources of all of them. */
  sources?: readonly Pick<StoredEntry, 'organization' | 'documentPath'>[] | null;
};

/** Names the sources of entries and of their duplicates: the organization, else the name of the document. */
export const renderProvenance = (entries: readonly Provenance[]): string =>
  listSources(entries).slice(0, MAX_NAMED_SOURCES).join(' + ') + formatRest(listSources(entries).length);

const MAX_NAMED_SOURCES = 3;

const formatRest = (count: number): string =>
  count > MAX_NAMED_SOURCES ? ` and ${count - MAX_NAMED_SOURCES} more` : '';

/** Lists the names of the sources of entries and of their duplicates, each once. */
export function listSources(entries: readonly Provenance[]): string[] {
  const [only] = entries;
  if (only !== undefined && entries.length === 1 && !only.matches && !only.sources)
    return [getProvenanceName(only)];
  return [
    ...new Set(
      entries.flatMap((entry) =>
        [entry, ...listDuplicates(entry), ...(entry.sources ?? [])].map(getProvenanceName),
      ),
    ),
  ];
}

const listDuplicates = ({ matches }: Provenance): MatchedEntry[] =>
  (matches ?? []).filter(({ link }) => link === 'same');

/** The name of a document stands for its path since the record was read. */
const getProvenanceName = ({
  organization,
  documentPath,
}: Pick<Provenance, 'organization' | 'documentPath'>): string =>
  escapeInline(organization ?? documentPath, 80);

/**
 * Renders the reference of a row: "Condition/a"; "Condition/a (also Condition/b)" of one fact with its duplicates in other
 * sources; "Condition/a (12)" of a row that stands for 12 facts, by its newest.
 */
export function renderReference(newest: Provenance, count: number): string {
  const also = listDuplicates(newest).map(formatReference);
  const notes = [count > 1 ? String(count) : '', also.length > 0 ? `also ${joinFirst(also)}` : ''];
  const note = notes.filter(Boolean).join('; ');
  return note === '' ? formatReference(newest) : `${formatReference(newest)} (${note})`;
}

function joinFirst(all: readonly string[]): string {
  const distinct = [...new Set(all)];
  const named = distinct.slice(0, 3).join(', ');
  return distinct.length > 3 ? `${named} and ${distinct.length - 3} more` : named;
}
