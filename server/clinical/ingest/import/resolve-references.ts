import type { PatientId } from '../../../../contract/brands.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { findReferenced } from '../../store/identity.ts';
import { formatIdentifier, parseReference, type ParsedReference } from '../../store/references.ts';
import * as statements from '../../store/resources.sql.ts';
import type { BundleIndex } from './index-bundle.ts';
import { IDENTIFIER_TARGETS } from './read-facts.ts';

export interface Reference {
  /** As written. */
  reference: string;
  /** The origin of the resource that makes it; null: of any. */
  origin: string | null;
}

type ReferenceIndex = Pick<BundleIndex, 'byId' | 'byName' | 'connected'>;

/** Resolves references to resources of the record: first among those of the upload, then among those stored before. */
export async function resolveReferences(
  on: Queryable,
  { patientId, bundleIndex }: { patientId: PatientId; bundleIndex: ReferenceIndex },
  references: readonly Reference[],
): Promise<(reference: Reference) => string | undefined> {
  const found = createFindings();
  const missing: Missing[] = [];
  for (const reference of references)
    found.findOnce(reference, (target) => {
      const local = target === null ? undefined : findLocally(bundleIndex, target);
      if (target !== null && local === undefined)
        missing.push({ target, settle: (to) => found.set(reference, to) });
      return local;
    });
  if (missing.length > 0) await lookUp(on, { patientId, connected: bundleIndex.connected }, missing);
  return found.get;
}

/** `Type/id` in the record of what a reference means of the upload. */
export type FindLocally = (reference: Reference) => string | undefined;

/** Creates a look-up in the upload alone, which keeps what it found. */
export function createLocalLookup(bundleIndex: ReferenceIndex): FindLocally {
  const found = createFindings();
  return (reference) =>
    found.findOnce(reference, (target) => (target === null ? undefined : findLocally(bundleIndex, target)));
}

const findLocally = (bundleIndex: ReferenceIndex, target: ParsedReference): string | undefined =>
  target.form === 'id'
    ? bundleIndex.byId(target.type, target.id, target.origin)
    : bundleIndex.byName(target.name);

/** The identifiers of some types are stored, those without a system by the value alone. */
function parseTarget(reference: string, origin: string | null): ParsedReference | null {
  const target = parseReference(reference, origin);
  if (target?.form !== 'identifier') return target;
  const [type = '', system, ...value] = target.name.split('|');
  return system === '' && IDENTIFIER_TARGETS.has(type)
    ? { ...target, name: formatIdentifier(type, value.join('|')) }
    : target;
}

/** What references mean, by origin and reference: most of a page's are made by several of its resources. */
function createFindings() {
  const byOrigin = new Map<string | null, Map<string, string | undefined>>();
  const getAll = (origin: string | null): Map<string, string | undefined> => {
    const all = byOrigin.get(origin) ?? new Map<string, string | undefined>();
    if (all.size === 0) byOrigin.set(origin, all);
    return all;
  };
  return {
    get: ({ reference, origin }: Reference): string | undefined => byOrigin.get(origin)?.get(reference),
    set: ({ reference, origin }: Reference, to: string): void => void getAll(origin).set(reference, to),
    /** Returns what is known of a reference, or what `find` finds. */
    findOnce(
      { reference, origin }: Reference,
      find: (target: ParsedReference | null) => string | undefined,
    ): string | undefined {
      const all = getAll(origin);
      if (!all.has(reference)) all.set(reference, find(parseTarget(reference, origin)));
      return all.get(reference);
    },
  };
}

/** A reference to nothing of the upload; `settle` notes what of the record it means. */
interface Missing {
  target: ParsedReference;
  settle(to: string): void;
}

async function lookUp(
  on: Queryable,
  { patientId, connected }: { patientId: PatientId; connected: ReadonlySet<string> },
  missing: readonly Missing[],
): Promise<void> {
  const ids = missing.flatMap(({ target }) => (target.form === 'id' ? [target.id] : extractUuid(target)));
  const names = missing.flatMap(({ target }) => (target.form === 'id' ? [] : [target.name]));
  const [rows, identified] = await Promise.all([
    on.query(statements.findResourcesBySourceId(patientId, ids)),
    on.query(statements.findResourcesByIdentifier(patientId, names)),
  ]);
  const named = new Map(identified.map((row) => [row.name, `${row.resource_type}/${row.fhir_id}`]));
  const bySource = Map.groupBy(rows, (row) => row.source_id);
  for (const { target, settle } of missing) {
    const to =
      target.form === 'id'
        ? findById(bySource.get(target.id), target, connected)
        : (named.get(target.name) ?? findOnly(bySource.get(extractUuid(target)[0] ?? '')));
    if (to !== undefined) settle(to);
  }
}

/** Bundles name a resource `urn:uuid:X` and mostly give it the id X: then no identifier was stored for it. */
const extractUuid = (target: ParsedReference): string[] =>
  target.form === 'name' && target.name.startsWith('urn:uuid:')
    ? [target.name.slice('urn:uuid:'.length)]
    : [];

function findById(
  rows: statements.KnownResourceRow[] | undefined,
  { type, id, origin }: { type: string; id: string; origin: string | null },
  connected: ReadonlySet<string>,
): string | undefined {
  const candidates = (rows ?? []).filter(({ resource_type }) => resource_type === type);
  const row = origin === null ? candidates[0] : findReferenced(candidates, { origin, id }, connected);
  return row && `${row.resource_type}/${row.fhir_id}`;
}

const findOnly = (rows: statements.KnownResourceRow[] | undefined): string | undefined =>
  rows?.length === 1 && rows[0] ? `${rows[0].resource_type}/${rows[0].fhir_id}` : undefined;
