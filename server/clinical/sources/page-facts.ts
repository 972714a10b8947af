import { createHash, hash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createJsonSlicer, type JsonSlicer, type Slice } from '../ingest/readers/json-slices.ts';
import { REFERENCED_TYPES } from './compartment.ts';
import { isObject, readObjects, readString, type JsonObject } from './json.ts';
import { SOURCE_LIMITS } from './limits.ts';
import type { OwnPatient } from './own-patient.ts';
import { createPageOwners, type PageOwners } from './page-owners.ts';
import type { FaultCode } from './source-fault.ts';

/** The patient whose record a page should hold. */
export interface ExpectedPatient {
  type: 'Patient' | 'Person';
  own: OwnPatient;
  /** Also collect references to resources outside the compartment. */
  collect: boolean;
}

/** The facts of a page after all of it was read. */
export interface PageFacts {
  /** Why the page cannot be used: it is no Bundle, or its entries are no record of the patient. */
  fault: FaultCode | null;
  /** The link of relation `next`, as written. */
  next: string | null;
  /** Bundle.meta.lastUpdated. */
  lastUpdated: string | null;
  /** Bundle.total: how many there are on all pages. */
  total: number | null;
  /** Entries of any kind. */
  entries: number;
  resources: number;
  /** Entries that cannot be read: the batch lists them as rejected. */
  unread: number;
  /** Resources that the total counts: all but what was included beside the matches (FHIR R4 §3.1.1.5.4). */
  matches: number;
  /** By what each of them, and each included one, is known again: a hash of its type and id, where it has one. */
  matchKeys: string[];
  includedKeys: string[];
  /** The server says that its answer may lack something. */
  isIncomplete: boolean;
  /** Addresses outside of the server's base that mean the patient. */
  ownNames: string[];
  /** Resources besides the patient or person. */
  others: number;
  /** SHA-256 over all entries, hex; recognizes a repeated page. */
  hash: string;
  /** SHA-256 over the patient or person alone, where the page holds it. */
  subjectHash: string | null;
  /** `Organization/1` and so on that are not on the page itself. */
  referred: string[];
}

/** Reads a page by two slicers: JSON.parse sees one entry at a time, so memory is bounded by the largest entry. */
export async function readPageFacts(file: string, expected: ExpectedPatient): Promise<PageFacts> {
  const facts: Facts = {
    fault: null,
    next: null,
    lastUpdated: null,
    total: null,
    entries: 0,
    resources: 0,
    unread: 0,
    matches: 0,
    matchKeys: [],
    includedKeys: [],
    isIncomplete: false,
    others: 0,
    subjectHash: null,
    owners: createPageOwners(expected.own),
    hash: createHash('sha256'),
    presentNames: new Set(),
    referred: new Set(),
    type: null,
  };
  const envelopeSlicer = createJsonSlicer({
    values: new Set(['resourceType', 'type', 'link', 'meta', 'total']),
  });
  const entrySlicer = createJsonSlicer({ elementsOf: 'entry' });
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    for (const value of envelopeSlicer.push(chunk as Buffer)) readEnvelope(facts, value);
    for (const bundleEntry of entrySlicer.push(chunk as Buffer))
      await readEntry(facts, bundleEntry, expected);
    if (facts.fault === 'wrong_patient') break;
  }
  const state = envelopeSlicer.state();
  // What explains whose something is may have been cut off.
  if (state === 'open') facts.fault ??= 'malformed_answer';
  if (facts.fault === null && expected.type === 'Patient' && !facts.owners.isOfOwn())
    facts.fault = 'wrong_patient';
  if (facts.fault === null) facts.fault = findFault(facts, state);
  const { hash: pageHash, presentNames, referred, owners, type: _, ...counts } = facts;
  return {
    ...counts,
    ownNames: owners.listOwnNames(),
    hash: pageHash.digest('hex'),
    referred: [...referred].filter((name) => !presentNames.has(name)).slice(0, SOURCE_LIMITS.referred),
  };
}

interface Facts extends Omit<PageFacts, 'hash' | 'referred' | 'ownNames'> {
  hash: Hash;
  owners: PageOwners;
  presentNames: Set<string>;
  referred: Set<string>;
  type: unknown;
}

function findFault({ type }: Facts, state: ReturnType<JsonSlicer['state']>): FaultCode | null {
  if (type === 'OperationOutcome') return 'operation_outcome';
  return state === 'complete' && type === 'Bundle' ? null : 'not_fhir';
}

function readEnvelope(facts: Facts, slice: Slice): void {
  const value = parseSlice(slice);
  if (slice.key === 'resourceType') facts.type = value;
  else if (slice.key === 'meta' && isObject(value))
    facts.lastUpdated = readString(value['lastUpdated'])?.slice(0, 100) ?? null;
  else if (slice.key === 'total') facts.total = typeof value === 'number' ? value : null;
  else if (slice.key === 'link')
    facts.next = readString(readObjects(value).find(({ relation }) => relation === 'next')?.['url']);
}

function parseSlice(slice: Slice): unknown {
  if ('refused' in slice) return undefined;
  try {
    return JSON.parse(slice.bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Reads an entry; one that cannot be parsed here is rejected by the batch as well, which reports it. */
async function readEntry(facts: Facts, slice: Slice, expected: ExpectedPatient): Promise<void> {
  facts.entries++;
  if ('refused' in slice) {
    facts.unread++;
    facts.hash.update(`${slice.refused}\n`);
    return;
  }
  facts.hash.update(slice.bytes).update('\n');
  const bundleEntry = parseSlice(slice);
  const resource = isObject(bundleEntry) ? bundleEntry['resource'] : undefined;
  if (!isObject(resource)) {
    if (!isMereAnswer(bundleEntry)) facts.unread++;
    return;
  }
  if (resource['resourceType'] === 'OperationOutcome') {
    readOutcome(facts, resource);
    return;
  }
  facts.resources++;
  const name = `${String(resource['resourceType'])}/${String(resource['id'])}`;
  const isMatch = getSearchMode(bundleEntry as JsonObject) !== 'include';
  if (isMatch) facts.matches++;
  if (resource['id'] !== undefined) facts[isMatch ? 'matchKeys' : 'includedKeys'].push(toKey(name));
  facts.presentNames.add(name);
  if (name === `${expected.type}/${expected.own.id}`)
    facts.subjectHash = createHash('sha256').update(slice.bytes).digest('hex');
  else facts.others++;
  if (expected.type === 'Patient' && !(await addOwners(facts, slice, bundleEntry as JsonObject)))
    facts.fault = 'wrong_patient';
  if (expected.collect) collectReferences(facts.referred, resource);
}

/** Short, since those of all pages are kept until the last one. */
const toKey = (name: string): string => hash('sha256', name, 'base64').slice(0, 16);

/** An entry with nothing but another request or a response, which adds nothing to a record. */
const isMereAnswer = (bundleEntry: unknown): boolean =>
  isObject(bundleEntry) &&
  !('resource' in bundleEntry) &&
  ('request' in bundleEntry || 'response' in bundleEntry);

const getSearchMode = ({ search }: JsonObject): unknown => (isObject(search) ? search['mode'] : undefined);

/** Notes whose an entry is: its resource, or each in the Bundle or Parameters that this is, as the import reads it. False: another patient's. */
async function addOwners({ owners }: Facts, slice: Slice, bundleEntry: JsonObject): Promise<boolean> {
  const resource = bundleEntry['resource'] as JsonObject;
  const type = resource['resourceType'];
  // What lies too deep in Parameters to be read is the patient's all the same.
  if (type !== 'Bundle' && !owners.add(resource, readString(bundleEntry['fullUrl']))) return false;
  if (type !== 'Bundle' && type !== 'Parameters') return true;
  // Loaded for the few pages that hold one.
  const { readBundleEntry } = await import('../ingest/readers/bundle-entries.ts');
  for (const item of readBundleEntry(slice, { path: '', position: '', fullUrl: null }))
    if ('found' in item && !owners.add(item.found.resource, item.found.fullUrl)) return false;
  return true;
}

/** Codes of an issue by which less was sent than there is (FHIR R4 IssueType: `incomplete`, `transient` and below, `too-costly`). */
const INCOMPLETE_CODES = new Set<unknown>(
  'incomplete transient lock-error no-store exception timeout throttled too-costly'.split(' '),
);

/** Reads an OperationOutcome among the matches (FHIR R4 §3.1.1.3.2): with an error the searchset is incomplete. */
function readOutcome(facts: Facts, outcome: JsonObject): void {
  for (const { severity, code } of readObjects(outcome['issue'])) {
    if (severity === 'error' || severity === 'fatal') facts.fault ??= 'operation_outcome';
    // A server that leaves out what it may not show (`suppressed`) does so each time: that is all there is for us.
    if (severity === 'warning' && INCOMPLETE_CODES.has(code)) facts.isIncomplete = true;
  }
}

const REFERENCE = /^([A-Z][A-Za-z]{1,40})\/([A-Za-z0-9\-.]{1,64})(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/;

/** Collects relative references only, which are to the same server. */
function collectReferences(into: Set<string>, value: unknown): void {
  if (Array.isArray(value)) for (const item of value) collectReferences(into, item);
  if (!isObject(value)) return;
  const [, type, id] = REFERENCE.exec(readString(value['reference']) ?? '') ?? [];
  if (type !== undefined && id !== undefined && REFERENCED_TYPES.has(type)) into.add(`${type}/${id}`);
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) collectReferences(into, inner);
}
