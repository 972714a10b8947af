import { toFact, type LinkedEntry, type NeededFact } from './context-fact.ts';
import { toElements, readText } from './element.ts';
import type { EntryLink } from './entry-link.ts';
import { isRelative, readReference } from './reference-text.ts';
import type { ParsedResource } from '../store/found-resource.ts';

/** Collects which earlier documents a DocumentReference or a Composition replaces, or adds to. */
export const collectRelations = (resource: ParsedResource): EntryLink[] =>
  toElements(resource['relatesTo']).flatMap((relation): EntryLink[] => {
    const role = readText(relation['code']);
    const target = readReference(relation['target'] ?? relation['targetReference']);
    return (role === 'replaces' || role === 'appends') && target !== null && isRelative(target)
      ? [{ role, target }]
      : [];
  });

const INVERSES = { replaces: 'replacedBy', appends: 'appendedBy' } as const;

/** Lists what documents say of each other, on both sides: a letter that was replaced does not know that itself. */
export function listRelations(
  entries: readonly LinkedEntry[],
  byReference: ReadonlyMap<string, readonly LinkedEntry[]>,
): ReadonlyMap<LinkedEntry, readonly NeededFact[]> {
  const relations = new Map<LinkedEntry, NeededFact[]>();
  const add = (entry: LinkedEntry, fact: NeededFact): void => {
    const known = relations.get(entry);
    if (known) known.push(fact);
    else relations.set(entry, [fact]);
  };
  for (const entry of entries)
    for (const { role, target } of entry.links) {
      if (role !== 'replaces' && role !== 'appends') continue;
      for (const earlier of byReference.get(target) ?? []) {
        add(entry, { ...toFact(role, earlier, 1), text: earlier.dayText });
        add(earlier, { ...toFact(INVERSES[role], entry, 1), text: entry.dayText });
      }
    }
  return relations;
}
