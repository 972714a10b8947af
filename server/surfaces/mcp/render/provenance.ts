import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import type { MatchedEntry } from '../../../clinical/queries/matches.sql.ts';
import { escapeInline } from './escape-markdown.ts';

export type Provenance = Pick<StoredEntry, 'organization' | 'documentPath' | 'reference' | 'matches'>;

/** Names the sources of entries and of their duplicates: the organization, else the name of the document. */
export function renderProvenance(entries: readonly Provenance[]): string {
  const [only] = entries;
  return only !== undefined && entries.length === 1 && !only.matches
    ? getProvenanceName(only)
    : joinFirst(
        entries.flatMap((entry) => [
          getProvenanceName(entry),
          ...listDuplicates(entry).map(getProvenanceName),
        ]),
        ' + ',
      );
}

const listDuplicates = ({ matches }: Provenance): MatchedEntry[] =>
  (matches ?? []).filter(({ link }) => link === 'same');

const getProvenanceName = ({
  organization,
  documentPath,
}: Pick<Provenance, 'organization' | 'documentPath'>): string =>
  escapeInline(organization ?? shortenDocumentName(documentPath), 80);

const MAX_NAME_LENGTH = 40;

/** Returns the last segment of the path; a long one keeps its beginning and its end, which shows the file type. */
function shortenDocumentName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1) || path;
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${name.slice(0, 24).replace(/[\uD800-\uDBFF]$/, '')}…${name.slice(-15).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** Renders references, `Type/id`; a group shows its newest one and the number of the others. */
export function renderReferences(groups: readonly (readonly Provenance[])[]): string {
  const [only] = groups;
  if (only !== undefined && groups.length === 1) return renderReferenceGroup(only);
  return joinFirst(groups.filter(({ length }) => length > 0).map(renderReferenceGroup), ', ');
}

/** `Type/id` as FHIR allows it, which needs no escaping; most references by far. */
const PLAIN_REFERENCE = /^[A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/;

/** "Condition/a (also Condition/b; Condition/c)": one fact, with the references of its duplicates. */
function renderReferenceGroup([newest, ...others]: readonly Provenance[]): string {
  const also =
    newest === undefined ? [] : listDuplicates(newest).map(({ reference }) => escapeReference(reference));
  const own = escapeReference(newest?.reference ?? null);
  const name = also.length === 0 ? own : `${own} (also ${joinFirst(also, '; ')})`;
  return others.length > 0 ? `${name} and ${others.length} more` : name;
}

const escapeReference = (reference: string | null): string =>
  reference !== null && PLAIN_REFERENCE.test(reference) ? reference : escapeInline(reference, 200);

function joinFirst(all: readonly string[], separator: string): string {
  const distinct = [...new Set(all)];
  const named = distinct.slice(0, 3).join(separator);
  return distinct.length > 3 ? `${named} and ${distinct.length - 3} more` : named;
}
