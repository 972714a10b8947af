import type { PatientId } from '../../contract/ids.ts';
import type { Queryable } from '../storage/db.ts';
import { matching } from './identity.ts';
import { targetOf, type Target } from './references.ts';
import * as statements from './resources.sql.ts';
import type { Survey } from './survey.ts';

export interface Reference {
  /** As written. */
  reference: string;
  /** The server of the resource that makes it, or ''. */
  origin: string;
}

/** Where references lead in the record: first what the upload holds, then what was there before. */
export async function resolveReferences(
  on: Queryable,
  { patientId, survey }: { patientId: PatientId; survey: Pick<Survey, 'byId' | 'byName'> },
  references: readonly Reference[],
): Promise<(reference: Reference) => string | undefined> {
  const found = new Map<string, string>();
  const missing = new Map<string, { target: Target; key: string }>();
  for (const reference of references) {
    const key = keyOf(reference);
    const target = targetOf(reference.reference, reference.origin);
    if (target === null || found.has(key) || missing.has(key)) continue;
    const here =
      target.form === 'id' ? survey.byId(target.type, target.id, target.origin) : survey.byName(target.name);
    if (here === undefined) missing.set(key, { target, key });
    else found.set(key, here);
  }
  if (missing.size > 0) await lookUp(on, { patientId, missing: [...missing.values()], found });
  return (reference) => found.get(keyOf(reference));
}

const keyOf = ({ reference, origin }: Reference): string => `${origin} ${reference}`;

interface LookUp {
  patientId: PatientId;
  missing: readonly { target: Target; key: string }[];
  found: Map<string, string>;
}

async function lookUp(on: Queryable, { patientId, missing, found }: LookUp): Promise<void> {
  const ids = missing.flatMap(({ target }) => (target.form === 'id' ? [target.id] : bareUuid(target)));
  const names = missing.flatMap(({ target }) => (target.form === 'id' ? [] : [target.name]));
  const rows = await on.query(statements.resourcesBySourceId(patientId, ids));
  const named = new Map(
    (await on.query(statements.resourcesByName(patientId, names))).map((row) => [
      row.name,
      `${row.resource_type}/${row.fhir_id}`,
    ]),
  );
  const bySource = Map.groupBy(rows, (row) => row.source_id);
  for (const { target, key } of missing) {
    const to =
      target.form === 'id'
        ? amongIds(bySource.get(target.id), target)
        : (named.get(target.name) ?? soleOf(bySource.get(bareUuid(target)[0] ?? '')));
    if (to !== undefined) found.set(key, to);
  }
}

/** Bundles name a resource `urn:uuid:X` and mostly give it the id X: then nothing more was kept. */
const bareUuid = (target: Target): string[] =>
  target.form === 'name' && target.name.startsWith('urn:uuid:')
    ? [target.name.slice('urn:uuid:'.length)]
    : [];

function amongIds(
  rows: statements.KnownResource[] | undefined,
  target: { type: string; origin: string },
): string | undefined {
  const row = matching(
    (rows ?? []).filter(({ resource_type }) => resource_type === target.type),
    target.origin,
  );
  return row && `${row.resource_type}/${row.fhir_id}`;
}

const soleOf = (rows: statements.KnownResource[] | undefined): string | undefined =>
  rows?.length === 1 && rows[0] ? `${rows[0].resource_type}/${rows[0].fhir_id}` : undefined;
