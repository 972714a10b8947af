import { toConceptId, type Concept, type ConceptRow } from './concept.ts';

export type Relations = Pick<Concept, 'ancestors' | 'related' | 'akin' | 'treatments' | 'breadth'>;

/** More treatments would make most drugs of a record an answer. */
const MAX_TREATMENTS = 200;

const DRUG_KINDS = new Set<ConceptRow['kind']>(['drugs', 'drug-classes']);
const TREATED_KINDS = new Set<ConceptRow['kind']>(['conditions', 'symptoms']);

/** Resolves the relations of all rows, from both sides; a relation to what no row is leaves no trace. */
export function resolveRelations(rows: readonly ConceptRow[]): Map<string, Relations> {
  const bySlug = new Map(rows.map((row) => [row.id, row]));
  const ids = new Map(rows.map(({ id }) => [id, toConceptId(id)]));
  const ancestors = new Map(rows.map(({ id }) => [id, collectAncestors(bySlug, id)]));
  const related = collectRelated(bySlug);
  const breadths = new Map<string, number>();
  for (const wider of ancestors.values())
    for (const slug of wider) breadths.set(slug, (breadths.get(slug) ?? 0) + 1);
  const toIds = (slugs: Iterable<string>): number[] =>
    [...slugs].map((slug) => ids.get(slug) as number).sort((one, other) => one - other);
  const hasKind = (slug: string, kinds: ReadonlySet<ConceptRow['kind']>): boolean =>
    kinds.has((bySlug.get(slug) as ConceptRow).kind);
  const listTreatments = (slug: string): string[] => {
    const near = [...(related.get(slug) ?? [])];
    const treated = near.filter((each) => hasKind(each, TREATED_KINDS));
    const all = [...near, ...treated.flatMap((each) => [...(related.get(each) ?? [])])];
    return [...new Set(all.filter((each) => hasKind(each, DRUG_KINDS)))].slice(0, MAX_TREATMENTS);
  };
  return new Map(
    rows.map(({ id }) => [
      id,
      {
        ancestors: toIds(ancestors.get(id) ?? []),
        related: toIds(related.get(id) ?? []),
        akin: toIds(
          [...(related.get(id) ?? [])].filter((other) => isAkin(bySlug.get(id), bySlug.get(other))),
        ),
        treatments: toIds(listTreatments(id)),
        breadth: breadths.get(id) ?? 0,
      },
    ]),
  );
}

const isHistory = (row: ConceptRow): boolean => row.id.startsWith('history-of-');

function isAkin(one: ConceptRow | undefined, other: ConceptRow | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one.kind === 'symptoms' || one.kind === 'social-history') return other.kind === 'conditions';
  return (isHistory(one) && other.kind === 'procedures') || (one.kind === 'procedures' && isHistory(other));
}

type Rows = ReadonlyMap<string, ConceptRow>;

function collectAncestors(rows: Rows, slug: string): Set<string> {
  const found = new Set<string>();
  const collect = (from: string): void => {
    for (const wider of rows.get(from)?.broader ?? [])
      if (rows.has(wider) && !found.has(wider)) {
        found.add(wider);
        collect(wider);
      }
  };
  collect(slug);
  found.delete(slug);
  return found;
}

function collectRelated(rows: Rows): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>();
  const add = (one: string, other: string): void =>
    void related.set(one, (related.get(one) ?? new Set<string>()).add(other));
  for (const row of rows.values())
    for (const other of row.related ?? [])
      if (rows.has(other)) {
        add(row.id, other);
        add(other, row.id);
      }
  return related;
}
