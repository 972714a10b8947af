import type { Recorded } from '../records/clinical.sql.ts';
import type { ToldElsewhere } from '../records/told-elsewhere.sql.ts';
import { inline } from './record-text.ts';

export type Provenance = Pick<Recorded, 'organization' | 'documentPath' | 'reference' | 'toldElsewhere'>;

/** Who says so: the organization, else the document's name; of each entry all sources that say the same. */
export function sourceOf(entries: readonly Provenance[]): string {
  const [only] = entries;
  return only !== undefined && entries.length === 1 && !only.toldElsewhere
    ? sourceName(only)
    : firstOf(
        entries.flatMap((entry) => [sourceName(entry), ...alsoToldBy(entry).map(sourceName)]),
        ' + ',
      );
}

const alsoToldBy = ({ toldElsewhere }: Provenance): ToldElsewhere[] =>
  (toldElsewhere ?? []).filter(({ link }) => link === 'same');

const sourceName = ({
  organization,
  documentPath,
}: Pick<Provenance, 'organization' | 'documentPath'>): string =>
  inline(organization ?? documentName(documentPath), 80);

const LONGEST_NAME = 40;

/** The last segment of its path; of a long one the beginning and the end, which tells its kind. */
function documentName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1) || path;
  if (name.length <= LONGEST_NAME) return name;
  return `${name.slice(0, 24).replace(/[\uD800-\uDBFF]$/, '')}…${name.slice(-15).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** Where to read on: `Type/id`; of a group the newest, which its count follows. */
export function referencesOf(groups: readonly (readonly Provenance[])[]): string {
  const [only] = groups;
  if (only !== undefined && groups.length === 1) return referenceOf(only);
  return firstOf(groups.filter(({ length }) => length > 0).map(referenceOf), ', ');
}

/** `Type/id` as FHIR allows it: most of what is shown, by far, and nothing in Markdown. */
const PLAIN_REFERENCE = /^[A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/;

/** "Condition/a (also Condition/b; Condition/c)": one fact, and where its other sources tell it. */
function referenceOf([newest, ...others]: readonly Provenance[]): string {
  const also =
    newest === undefined ? [] : alsoToldBy(newest).map(({ reference }) => referenceText(reference));
  const own = referenceText(newest?.reference ?? null);
  const name = also.length === 0 ? own : `${own} (also ${firstOf(also, '; ')})`;
  return others.length > 0 ? `${name} and ${others.length} more` : name;
}

const referenceText = (reference: string | null): string =>
  reference !== null && PLAIN_REFERENCE.test(reference) ? reference : inline(reference, 200);

function firstOf(all: readonly string[], separator: string): string {
  const distinct = [...new Set(all)];
  const named = distinct.slice(0, 3).join(separator);
  return distinct.length > 3 ? `${named} and ${distinct.length - 3} more` : named;
}
