import { VERSION_RETENTION_MS } from '../../clinical/store/purge-versions.ts';
import { maybeOne, one } from '../../platform/db/db.ts';
import type { EverythingParameters } from './everything-parameters.ts';
import { invalidInput } from '../../platform/kernel/refusal.ts';
import type { FhirDeps, AuthorizedRecord } from './authorize-record.ts';
import { redactBody } from '../../clinical/labels/redact.ts';
import { PERSON_TYPES } from '../../clinical/labels/contact-elements.ts';
import { removeContact } from './remove-contact.ts';
import { buildPersonResource, findPersonTime } from './person.ts';
import { buildCountKey, type OpenedCursor, type PageCount } from './paging-cursor.ts';
import * as statements from './record.sql.ts';
import type { LinkedPatientRow } from './record.sql.ts';
import { isWholeRecord, type Assumptions, type Selection } from './selection.ts';
import { createTraversalExpiredRefusal, type Override, type ResourceSerializer } from './read-chunks.ts';

/** A record as one traversal sees it. */
export interface RecordSnapshot {
  record: AuthorizedRecord;
  selection: Selection;
  /** The Person as JSON; null where the selection leaves it out. */
  person: string | null;
  /** The time of the state that the reader may know. */
  lastUpdated: Date;
  /** The number of entries, the person included. */
  total: number;
  /** What the total is of, and whether the entries before the page were counted among those of it. */
  count: Pick<PageCount, 'key' | 'isExact'>;
  overrides: (after: number) => AsyncIterator<Override, undefined>;
  assumptions: Assumptions;
}

interface SnapshotOptions {
  parameters: EverythingParameters;
  serializer: ResourceSerializer;
  /** What the paging link names. */
  cursor: OpenedCursor;
}

/**
 * Creates the snapshot of a selection, at the state that the paging link names, or the current one. The total that a link holds
 * is taken while it is that of the same selection under the same consents, and counted anew otherwise.
 */
export async function createSnapshot(
  deps: FhirDeps,
  record: AuthorizedRecord,
  { parameters, serializer, cursor: { state, after, counted } }: SnapshotOptions,
): Promise<RecordSnapshot> {
  const { patientId } = record.access;
  const { recordBase } = serializer;
  const selection = {
    types: parameters.types,
    since: parameters.since?.at ?? null,
    dates: parameters.dates,
    state: await resolveState(deps, record, state?.at ?? null),
  };
  const isFirstPage = parameters.offset === 0;
  const mayHavePerson = selection.types?.includes('Person') !== false;
  // What they say of the person is on the first page alone; whether it has changed counts on each.
  const needsPatients = mayHavePerson && (isFirstPage || selection.since !== null);
  const patients = needsPatients ? await findLinkedPatients(deps, record, selection.state) : [];
  const changedAt = findPersonChange(record, state?.at ?? null);
  const personTime = findPersonTime({ createdAt: record.created_at, changedAt }, patients);
  const hasPerson = mayHavePerson && isNewer(personTime, selection.since);
  const person =
    hasPerson &&
    JSON.stringify(buildPersonResource({ ...record, patientId, patients, changedAt, recordBase }));
  const key = buildCountKey(selection, record.masks);
  const known = counted?.key === key ? counted : null;
  const total = known?.total ?? (await countResources(deps, record, selection)) + (hasPerson ? 1 : 0);
  return {
    record,
    selection,
    person: person || null,
    lastUpdated:
      state?.lastUpdated ?? latest(await findVisibleState(deps, record, selection.state), changedAt),
    total,
    count: { key, isExact: after === null || known?.isExact === true },
    overrides: (after) => listOverrides(deps, record, { selection, serializer, after }),
    assumptions: {
      full: record.full,
      unchanged: selection.state.getTime() === record.last_synchronized_at?.getTime(),
    },
  };
}

/** Finds the Patients that the person links to, with their bodies where the account has no birth date. */
export const findLinkedPatients = (
  { db, clock }: FhirDeps,
  { access, date_of_birth: birthDate }: AuthorizedRecord,
  state: Date,
): Promise<LinkedPatientRow[]> =>
  db.query(statements.selectLinkedPatients(access, { state, bodies: birthDate === null, now: clock.now() }));

/**
 * Returns the current state of a record, which for an empty one is the creation of its account: a resource that is being
 * written now may carry a time that has passed already. Under a consent that leaves something out it is the one until which
 * everything has its labels: what a batch that is being read has written is seen when all of it can be.
 */
export const getNewestState = ({ full, ...record }: AuthorizedRecord): Date =>
  (full ? null : record.labeled_until) ?? record.last_synchronized_at ?? record.created_at ?? new Date(0);

/**
 * Returns when the Person was last another one, until a state, but for Patients that are there. While a batch is labeled, whoever
 * reads by labels sees the Patients from before it.
 */
export function findPersonChange(
  { full, labeled_until: labeledUntil, person_changes: changes }: AuthorizedRecord,
  state: Date | null = null,
): Date | null {
  const until = state ?? (full ? null : labeledUntil);
  const times = changes === null ? [] : (JSON.parse(changes) as string[]).map((time) => new Date(time));
  return times
    .filter((time) => until === null || time <= until)
    .reduce<Date | null>((last, time) => (last === null ? time : latest(last, time)), null);
}

const latest = (time: Date, other: Date | null): Date => (other !== null && other > time ? other : time);

/** Returns the requested state, or the current one. Earlier versions of resources are kept for a day after a change. */
async function resolveState(
  { db, clock }: FhirDeps,
  record: AuthorizedRecord,
  requested: Date | null,
): Promise<Date> {
  const now = clock.now();
  const newest = getNewestState(record);
  if (requested === null) return newest;
  if (requested > newest && requested > now)
    throw invalidInput([{ path: '_state', message: 'must be the value of a paging link' }]);
  if (record.removed_at !== null && requested < record.removed_at) throw createTraversalExpiredRefusal();
  // Of a consent that left out nothing as the traversal began.
  if (!record.full && record.labeled_until !== null && requested > newest)
    throw createTraversalExpiredRefusal();
  const purgedUntil = new Date(now.getTime() - VERSION_RETENTION_MS);
  if (requested < newest && requested < purgedUntil) {
    if (!record.full) throw createTraversalExpiredRefusal();
    const { changed } = await one(db, statements.hasChangedBetween(record.access, requested, purgedUntil));
    if (changed) throw createTraversalExpiredRefusal();
  }
  return requested;
}

/** Finds the last change that the reader may see until a state: that of something withheld would show that it exists. */
async function findVisibleState(
  { db, clock }: FhirDeps,
  { access, full, created_at: createdAt }: AuthorizedRecord,
  state: Date,
): Promise<Date> {
  if (full) return state;
  const row = await one(db, statements.selectNewestVisible(access, state, clock.now()));
  return row.newest ?? createdAt ?? new Date(0);
}

const isNewer = (time: Date | null, since: Date | null): boolean =>
  since === null || (time !== null && time > since);

/** Counts the selection; each import maintains the total of a whole record. */
async function countResources(
  deps: FhirDeps,
  record: AuthorizedRecord,
  selection: Selection,
): Promise<number> {
  const now = deps.clock.now();
  const isWhole = isWholeRecord(selection) && record.full;
  if (isWhole && selection.state.getTime() === record.last_synchronized_at?.getTime())
    return record.total ?? 0;
  return (await one(deps.db, statements.countSelected(record.access, selection, now))).total;
}

/** Yields Patients and Persons without their addresses, where the consent leaves those out. */
async function* listOverrides(
  { db, clock }: FhirDeps,
  { access, contact }: AuthorizedRecord,
  { selection, serializer, after }: { selection: Selection; serializer: ResourceSerializer; after: number },
): AsyncGenerator<Override, undefined> {
  if (contact || selection.types?.some((type) => PERSON_TYPES.has(type)) === false) return undefined;
  for (let last = after; ;) {
    const page = await db.query(
      statements.selectPersonsAfter(access, selection, { after: last, now: clock.now() }),
    );
    for (const { seq, resource_type: type, fhir_id: id, body, withheld, ...labels } of page) {
      const redacted = redactBody(Buffer.from(body), labels, withheld).toString();
      yield { seq, encoded: serializer.encode(`${type}/${id}`, removeContact(redacted)) };
    }
    const end = page.at(-1);
    if (end === undefined) return undefined;
    last = end.seq;
  }
}

/** Returns the `seq` before the first resource of a page. */
export async function resolveCursor(
  deps: FhirDeps,
  { record, selection, person }: RecordSnapshot,
  { offset, after }: { offset: number; after: number | null },
): Promise<number> {
  const skip = offset - (person === null ? 0 : 1);
  if (after !== null) return after;
  if (skip <= 0) return 0;
  const now = deps.clock.now();
  const row = await maybeOne(deps.db, statements.selectSeqAt(record.access, selection, { skip, now }));
  // A page beyond the end is empty.
  return row?.seq ?? Number.MAX_SAFE_INTEGER;
}
