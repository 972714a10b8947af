import { RestrictedScope } from '../../contract/data-categories.ts';
import type { PatientId } from '../../contract/ids.ts';
import { bitOf, needsOf } from '../consent/data-classes.ts';
import type { Queryable } from '../storage/db.ts';
import type { TextsIn } from './attachment-texts.ts';
import type { PlacedEntry } from './entries.sql.ts';
import type { Entry } from './entry.ts';
import { tellers } from './identity.ts';
import type { ParsedResource } from './found-resource.ts';
import { parseResource } from './parse-resource.ts';
import { categoryOf, neededReferences, project } from './project.ts';
import type { Resolved } from './project/source.ts';
import * as statements from './resources.sql.ts';
import { restrictedClassesOf } from './sensitivity/restricted-classes.ts';

/** The entries of some resources, and what a consent must cover for each resource to be shown. */
export interface Placed {
  entries: PlacedEntry[];
  needs: { seq: number; needs: number }[];
}

/** The classes that a resource's notes get from others that hold the same notes. */
export type SameNotes = (told: { seq: number; reference: string; entries: readonly Entry[] }) => number;

/** Stored resources whose entries are wanted. */
export interface ToPlace {
  rows: readonly statements.StoredResource[];
  sameNotes: SameNotes;
  textsIn: TextsIn;
}

interface Known extends Resolved {
  /** What its name adds to the needs of what shows it. */
  needs: number;
}

/**
 * A fact is as sensitive as what it shows and as the visit it belongs to: to its own category and classes come the classes
 * of every visit that the resource names, and of everything whose name its entries show.
 */
export async function placeEntries(
  on: Queryable,
  patientId: PatientId,
  { rows, sameNotes, textsIn }: ToPlace,
): Promise<Placed> {
  const parsed = rows.map((row) => {
    const resource = parseResource(row.body);
    return { row, resource, visits: visitsIn(row.body) };
  });
  const known = await knownOf(
    on,
    patientId,
    parsed.flatMap(({ resource, visits }) => [...visits, ...neededReferences(resource)]),
  );
  const texts = await textsIn(parsed);
  const placed: Placed = { entries: [], needs: [] };
  const tellerOf = tellers();
  for (const { row, resource, visits } of parsed) {
    const shown = new Set(visits);
    const entries = project(resource, {
      resolve(reference) {
        shown.add(reference);
        return known.get(reference) ?? null;
      },
      textOf: (digest) => texts.get(digest) ?? null,
    });
    const reference = `${row.resource_type}/${row.fhir_id}`;
    const needs = [...shown].reduce(
      (sum, name) => sum | (known.get(name)?.needs ?? 0),
      ownNeeds(resource, entries) | sameNotes({ seq: row.seq, reference, entries }),
    );
    placed.needs.push({ seq: row.seq, needs });
    for (const [ordinal, entry] of entries.entries())
      placed.entries.push({
        seq: row.seq,
        ordinal,
        reference,
        documentPath: row.document_path,
        needs,
        toldBy: tellerOf(row),
        entry,
      });
  }
  return placed;
}

function ownNeeds(resource: ParsedResource, entries: readonly Entry[]): number {
  const notes = entries.flatMap((entry) => (entry.kind === 'note' ? (entry.detail.text ?? []) : []));
  return needsOf(categoryOf(resource), restrictedClassesOf(resource, notes.length > 0 ? notes : null));
}

const VISIT = /"reference"\s*:\s*"(Encounter\/[A-Za-z0-9.-]{1,64})[/"]/g;

const visitsIn = (body: string): string[] => [...body.matchAll(VISIT)].map(([, name]) => name as string);

/** Two look-ups a page, whatever it holds: what is referenced, and the organizations that that names. */
async function knownOf(
  on: Queryable,
  patientId: PatientId,
  references: readonly string[],
): Promise<ReadonlyMap<string, Known>> {
  const rows = await on.query(statements.labelsOf(patientId, parts(references)));
  const organizations = rows.flatMap((row) =>
    row.organization === null && row.organization_reference !== null ? [row.organization_reference] : [],
  );
  const named = await on.query(statements.labelsOf(patientId, parts(organizations)));
  const names = new Map(named.map((row) => [row.reference, row]));
  return new Map(
    rows.map((row) => {
      const [type = ''] = row.reference.split('/');
      const other = row.organization === null ? names.get(row.organization_reference ?? '') : undefined;
      const organization =
        row.organization ?? (type === 'Organization' ? row.label : null) ?? other?.label ?? null;
      return [
        row.reference,
        {
          // What a visit is called is told with the visits, under the consent for them.
          label: type === 'Encounter' ? null : row.label,
          code: row.label_code,
          organization,
          needs: added(type, row.needs | (other?.needs ?? 0)),
        },
      ];
    }),
  );
}

export const RESTRICTED = RestrictedScope.options.reduce((bits, name) => bits | bitOf(name), 0);

/** Who did something and where is part of what they did, whatever is shared of administration; which drug is of medications. */
const added = (type: string, needs: number): number =>
  (needs & RESTRICTED) | (type === 'Medication' ? bitOf('MEDICATIONS') : 0);

function parts(references: readonly string[]): { type: string; id: string }[] {
  return [...new Set(references)].flatMap((reference) => {
    const [type, id, more] = reference.split('/');
    return type && id && more === undefined ? [{ type, id }] : [];
  });
}
