import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { jsonSlicer, type Slice } from '../uploads/json-slices.ts';
import { OWNER_ELEMENTS, REFERRED_TYPES } from './compartment.ts';
import { isObject, objects, text, type Json } from './json.ts';
import type { FaultCode } from './source-fault.ts';

/** Whose record a page should be of. */
export interface Expected {
  type: 'Patient' | 'Person';
  id: string;
  aliases: readonly string[];
  /** Also collect references to resources outside the compartment. */
  collect: boolean;
}

/** What is known of a page once all of it was looked at. */
export interface PageFacts {
  /** Of a resource that is no Bundle, or whose entries are no record: why the page is of no use. */
  fault: FaultCode | null;
  /** Of the relation `next`, as written. */
  next: string | null;
  /** Bundle.meta.lastUpdated. */
  lastUpdated: string | null;
  /** Bundle.total: how many there are on all pages. */
  total: number | null;
  /** Of whatever kind. */
  entries: number;
  resources: number;
  /** Besides the one that the record is of. */
  others: number;
  /** SHA-256 over all entries, hex; tells a page that comes again. */
  hash: string;
  /** The same over the patient or person alone, where the page holds it. */
  subjectHash: string | null;
  /** `Organization/1` and so on that are not on the page itself. */
  referred: string[];
}

/** Two cuts through a page: JSON.parse sees one entry at a time, so memory is the largest entry's. */
export async function readPageFacts(file: string, expected: Expected): Promise<PageFacts> {
  const facts: Facts = {
    fault: null,
    next: null,
    lastUpdated: null,
    total: null,
    entries: 0,
    resources: 0,
    others: 0,
    subjectHash: null,
    hash: createHash('sha256'),
    held: new Set(),
    referred: new Set(),
    type: null,
  };
  const envelope = jsonSlicer({ values: new Set(['resourceType', 'type', 'link', 'meta', 'total']) });
  const entries = jsonSlicer({ elementsOf: 'entry' });
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    for (const value of envelope.push(chunk as Buffer)) noteEnvelope(facts, value);
    for (const entry of entries.push(chunk as Buffer)) noteEntry(facts, entry, expected);
    if (facts.fault === 'wrong_patient') break;
  }
  if (facts.fault === null) facts.fault = faultOf(facts, envelope.state());
  const { hash, held, referred, type: _, ...told } = facts;
  return { ...told, hash: hash.digest('hex'), referred: [...referred].filter((name) => !held.has(name)) };
}

interface Facts extends Omit<PageFacts, 'hash' | 'referred'> {
  hash: Hash;
  held: Set<string>;
  referred: Set<string>;
  type: unknown;
}

function faultOf({ type }: Facts, state: 'open' | 'complete' | 'broken'): FaultCode | null {
  if (type === 'OperationOutcome') return 'operation_outcome';
  return state === 'complete' && type === 'Bundle' ? null : 'not_fhir';
}

function noteEnvelope(facts: Facts, slice: Slice): void {
  const value = valueOf(slice);
  if (slice.key === 'resourceType') facts.type = value;
  else if (slice.key === 'meta' && isObject(value)) facts.lastUpdated = text(value['lastUpdated']);
  else if (slice.key === 'total') facts.total = typeof value === 'number' ? value : null;
  else if (slice.key === 'link')
    facts.next = text(objects(value).find(({ relation }) => relation === 'next')?.['url']);
}

function valueOf(slice: Slice): unknown {
  if ('refused' in slice) return undefined;
  try {
    return JSON.parse(slice.bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** An entry that cannot be read here is not read into the record either, and told there. */
function noteEntry(facts: Facts, slice: Slice, expected: Expected): void {
  facts.entries++;
  if ('refused' in slice) return;
  facts.hash.update(slice.bytes).update('\n');
  const entry = valueOf(slice);
  const resource = isObject(entry) ? entry['resource'] : undefined;
  if (!isObject(resource)) return;
  if (resource['resourceType'] === 'OperationOutcome') {
    noteOutcome(facts, resource);
    return;
  }
  facts.resources++;
  const name = `${String(resource['resourceType'])}/${String(resource['id'])}`;
  facts.held.add(name);
  if (name === `${expected.type}/${expected.id}`)
    facts.subjectHash = createHash('sha256').update(slice.bytes).digest('hex');
  else facts.others++;
  if (expected.type === 'Patient' && isOfAnother(resource, entry as Json, expected))
    facts.fault = 'wrong_patient';
  if (expected.collect) collectReferences(facts.referred, resource);
}

/** A searchset may tell of errors beside its matches (FHIR R4 §3.1.1.3.2): it is not whole then. */
function noteOutcome(facts: Facts, outcome: Json): void {
  const fails = objects(outcome['issue']).some(
    ({ severity }) => severity === 'error' || severity === 'fatal',
  );
  if (fails) facts.fault ??= 'operation_outcome';
}

/**
 * Whether a resource is, or says that it is of, somebody other than the matched patient. A Person's record is not asked:
 * such a server has brought the ids of several Patients together itself, and may not show us all of them.
 */
function isOfAnother(resource: Json, entry: Json, { id, aliases }: Expected): boolean {
  const known = (other: string): boolean => other === id || aliases.includes(other);
  if (resource['resourceType'] === 'Patient') return !known(text(resource['id']) ?? fullUrlId(entry) ?? '');
  return OWNER_ELEMENTS.some((element) => {
    const value = resource[element];
    const owners = isObject(value) ? [value] : objects(value);
    const ids = owners.flatMap(({ reference }) => patientId(reference) ?? []);
    // An account may have several; one of them is enough.
    return ids.length > 0 && !ids.some(known);
  });
}

const fullUrlId = ({ fullUrl }: Json): string | null => patientId(fullUrl);

/** Of a relative, absolute or versioned reference to a Patient. */
const patientId = (reference: unknown): string | null =>
  /(?:^|\/)Patient\/([A-Za-z0-9\-.]{1,64})(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/.exec(
    text(reference) ?? '',
  )?.[1] ?? null;

const REFERRED = /^([A-Z][A-Za-z]{1,40})\/([A-Za-z0-9\-.]{1,64})(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/;

/** Relative ones only: those lead to the same server, whatever it calls itself. */
function collectReferences(into: Set<string>, value: unknown): void {
  if (Array.isArray(value)) for (const item of value) collectReferences(into, item);
  if (!isObject(value)) return;
  const [, type, id] = REFERRED.exec(text(value['reference']) ?? '') ?? [];
  if (type !== undefined && id !== undefined && REFERRED_TYPES.has(type)) into.add(`${type}/${id}`);
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) collectReferences(into, inner);
}
