import { toConceptId, type ConceptRow } from './concept.ts';
import { isTooGeneral } from './general-words.ts';
import { splitWords } from './split-words.ts';
import { listNames, listSaid } from './vocabulary.ts';

/** What is wrong with rows that are well-formed one by one: a sentence each, with the slug. */
export const findFaults = (rows: readonly ConceptRow[]): string[] => [
  ...findDuplicates(rows),
  ...findUnresolved(rows),
  ...findCircles(rows),
  ...rows.flatMap(findPhraseFaults),
];

function findDuplicates(rows: readonly ConceptRow[]): string[] {
  const slugs = new Map<number, string>();
  return rows.flatMap(({ id: slug }) => {
    const id = toConceptId(slug);
    const other = slugs.get(id);
    slugs.set(id, slug);
    if (other === undefined) return [];
    return other === slug ? `${slug} stands twice.` : `${slug} and ${other} have the same id: rename one.`;
  });
}

function findUnresolved(rows: readonly ConceptRow[]): string[] {
  const known = new Set(rows.map(({ id }) => id));
  return rows.flatMap(({ id, broader = [], related = [] }) =>
    [...broader, ...related].flatMap((other) =>
      !known.has(other) || other === id ? `${id} refers to ${other}, which is no other concept.` : [],
    ),
  );
}

function findCircles(rows: readonly ConceptRow[]): string[] {
  const broader = new Map(rows.map((row) => [row.id, row.broader ?? []]));
  const reaches = (from: string, wanted: string, seen: Set<string>): boolean =>
    (broader.get(from) ?? []).some(
      (wider) => wider === wanted || (!seen.has(wider) && reaches(wider, wanted, seen.add(wider))),
    );
  return rows.flatMap(({ id }) => (reaches(id, id, new Set()) ? `${id} is broader than itself.` : []));
}

function findPhraseFaults(row: ConceptRow): string[] {
  const fault = (what: string): string => `${row.id}: ${what}.`;
  const names = [...listNames(row), ...listSaid(row)];
  const hasBrands = row.kind === 'drugs' || row.kind === 'drug-classes' || row.kind === 'vaccines';
  return [
    ...names.flatMap((phrase) => (isTooGeneral(phrase) ? fault(`“${phrase}” alone is too general`) : [])),
    ...[...names, ...(row.short ?? [])].flatMap((phrase) =>
      splitWords(phrase).length === 0 ? fault(`“${phrase}” has no word`) : [],
    ),
    // "999" is a value, a code or a number of a room.
    ...names.flatMap((phrase) =>
      /\p{L}/u.test(phrase) || !/\d/.test(phrase) ? [] : fault(`“${phrase}” is a bare number`),
    ),
    ...listSaid(row).flatMap((phrase) =>
      listNames(row).includes(phrase) ? fault(`“${phrase}” is a name, so it need not be said`) : [],
    ),
    ...(row.brands !== undefined && !hasBrands ? [fault('only drugs and vaccines have brands')] : []),
  ];
}
