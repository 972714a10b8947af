import type { PatientId } from '../../../../contract/brands.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { listIdentifierNames } from '../../labels/names-of-targets.ts';
import { findOpenConditionalTargets } from '../../store/open-references.sql.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { collectReferences, parseReference } from '../../store/references.ts';
import { findResourcesOfTypes } from '../../store/resources.sql.ts';
import { IDENTIFIER_TARGETS } from './read-facts.ts';

/**
 * Names by identifiers (`Encounter|system|value`) that conditional references use for resources whose own names are not
 * stored: those of all types but a few stand in their texts alone, which are read only where something names one so.
 */
export type WantedNames = Set<string>;

const SEARCH = /"(?:\\?\/)?([A-Z][A-Za-z]{1,50})\?[^"]{0,500}identifier=/g;

/** Adds what the text of a resource refers to so. */
export function addWantedNames(wanted: WantedNames, text: string): void {
  if (!text.includes('identifier=')) return;
  // Most name a practitioner or an organization: their references are not looked for.
  if (text.matchAll(SEARCH).every(([, type = '']) => IDENTIFIER_TARGETS.has(type))) return;
  for (const reference of collectReferences(text)) addWantedName(wanted, reference);
}

function addWantedName(wanted: WantedNames, reference: string): void {
  const target = parseReference(reference, null);
  if (target?.form === 'identifier' && !IDENTIFIER_TARGETS.has(getType(target.name))) wanted.add(target.name);
}

const getType = (name: string): string => name.slice(0, name.indexOf('|'));

interface StoredText {
  /** `Type/id` in the record. */
  reference: string;
  text: string;
}

/**
 * Finds `Type/id` of what is wanted among resources of the types that are named. A name of several is that of none (R4
 * §3.1.0.11.2, conditional references).
 */
export async function findIdentified(
  wanted: ReadonlySet<string>,
  texts: AsyncIterable<StoredText>,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string | null>();
  for await (const { name, reference } of findNamed(wanted, texts)) {
    const other = found.get(name);
    found.set(name, other === undefined || other === reference ? reference : null);
  }
  return new Map([...found].flatMap(([name, reference]) => (reference === null ? [] : [[name, reference]])));
}

/** Finds which of the resources have the wanted names: each name of each. */
async function* findNamed(
  wanted: ReadonlySet<string>,
  texts: AsyncIterable<StoredText>,
): AsyncGenerator<{ name: string; reference: string }> {
  for await (const { reference, text } of texts)
    for (const name of text.includes('"identifier"') ? listIdentifierNames(parseResource(text)) : [])
      if (wanted.has(name)) yield { name, reference };
}

export const listWantedTypes = (wanted: ReadonlySet<string>): Set<string> =>
  new Set([...wanted].map(getType));

const PAGE = 1_000;

/** Finds what the open conditional references of a record mean, in the record: nothing is read where there are none. */
export async function findOpenIdentified(
  on: Queryable,
  patientId: PatientId,
): Promise<ReadonlyMap<string, string>> {
  const wanted: WantedNames = new Set();
  for (const { target } of await on.query(findOpenConditionalTargets(patientId)))
    addWantedName(wanted, target);
  return wanted.size === 0 ? new Map() : findIdentified(wanted, readTexts(on, patientId, wanted));
}

/**
 * Returns what an upload has found without what the record holds of another name by the same identifier. What the upload changes
 * counts as it was: which of the two is meant is found when all is stored.
 */
export async function findOnlyOfRecord(
  on: Queryable,
  patientId: PatientId,
  found: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  if (found.size === 0) return found;
  const only = new Map(found);
  const names = new Set(found.keys());
  for await (const { name, reference } of findNamed(names, readTexts(on, patientId, names)))
    if (found.get(name) !== reference) only.delete(name);
  return only;
}

/** Reads the resources of a record that may have one of the names. */
async function* readTexts(
  on: Queryable,
  patientId: PatientId,
  wanted: ReadonlySet<string>,
): AsyncGenerator<StoredText> {
  const types = [...listWantedTypes(wanted)];
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows: { seq: number; reference: string; body: string }[] = await on.query(
      findResourcesOfTypes(patientId, { types, after, limit: PAGE }),
    );
    for (const { reference, body } of rows) yield { reference, text: body };
    after = rows.at(-1)?.seq;
  }
}
