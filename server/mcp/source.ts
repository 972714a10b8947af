import type { Recorded } from '../records/clinical.sql.ts';
import { inline } from './record-text.ts';

type Provenance = Pick<Recorded, 'organization' | 'documentPath' | 'reference'>;

/** Who says so: the organization, else the document's name. */
export function sourceOf(entries: readonly Provenance[]): string {
  const names = entries.map(({ organization, documentPath }) =>
    inline(organization ?? documentPath.split('/').at(-1) ?? documentPath, 80),
  );
  return firstOf(names, ' + ');
}

/** Where to read on: `Type/id`; of a group the newest, which its count follows. */
export function referencesOf(groups: readonly (readonly Provenance[])[]): string {
  return firstOf(
    groups.flatMap(([newest, ...others]) => {
      const name = inline(newest?.reference ?? null, 200);
      return others.length > 0 ? `${name} and ${others.length} more` : name;
    }),
    ', ',
  );
}

function firstOf(all: readonly string[], separator: string): string {
  const distinct = [...new Set(all)];
  const named = distinct.slice(0, 3).join(separator);
  return distinct.length > 3 ? `${named} and ${distinct.length - 3} more` : named;
}
