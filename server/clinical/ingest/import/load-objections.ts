import type { PatientId } from '../../../../contract/brands.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { findObjection, OBJECTING_WORDS, type Objection } from '../../entries/objection.ts';
import type { Mention } from '../../labels/mentions.ts';
import type { NamedReference } from '../../labels/qualify-names.ts';
import { findObjected } from '../../store/objected-resources.sql.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { parseReferences } from './parse-references.ts';

/** Elements whose words for their targets no entry shows: a report names each of its results. */
const UNSHOWN = new Set<string | number | undefined>(['result', 'hasMember']);

/** Lists the references of a resource that call their targets something. */
export const listNamedReferences = (mentions: readonly Mention[]): NamedReference[] =>
  mentions.flatMap(({ named, target }) =>
    named === undefined || target === null || UNSHOWN.has(named[0]) ? [] : { pointer: named, target },
  );

/** Loads what stands against the targets of references, by `Type/id`: nothing against most. */
export async function loadObjections(
  on: Queryable,
  patientId: PatientId,
  references: readonly NamedReference[],
): Promise<ReadonlyMap<string, Objection>> {
  const targets = parseReferences(references.map(({ target }) => target));
  if (targets.length === 0) return new Map();
  const rows = await on.query(findObjected(patientId, targets, OBJECTING_WORDS));
  return new Map(
    rows.flatMap(({ reference, body }) => {
      const objection = findObjection(parseResource(body));
      return objection === null ? [] : [[reference, objection] as const];
    }),
  );
}
