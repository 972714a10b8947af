import { maybeOne, one } from '../../platform/db/db.ts';
import type { EverythingParameters } from './everything-parameters.ts';
import { Refusal, invalidInput } from '../../platform/kernel/refusal.ts';
import type { FhirDeps, AuthorizedRecord } from './authorize-record.ts';
import { removeContact } from './patient-body.ts';
import { buildPersonResource } from './person.ts';
import * as statements from './record.sql.ts';
import type { Assumptions, LinkedPatientRow, Selection } from './record.sql.ts';
import type { Override } from './read-chunks.ts';
import type { ResourceSerializer } from './resource-serializer.ts';

/** A record as one traversal sees it. */
export interface RecordSnapshot {
  record: AuthorizedRecord;
  selection: Selection;
  /** Person resource as JSON, where the selection holds it. */
  person: string | null;
  /** Entries of the selection, the person among them. */
  total: number;
  overrides: (after: number) => AsyncIterator<Override, undefined>;
  assumptions: Assumptions;
}

const DAY_MS = 24 * 3600 * 1000;

/** How long after the first page of a traversal its others are to be had. */
export const TRAVERSAL_MS = DAY_MS;

/** What the selection holds; the state of the record is the one the link says, or that of now. */
export async function createSnapshot(
  deps: FhirDeps,
  record: AuthorizedRecord,
  { parameters, serializer }: { parameters: EverythingParameters; serializer: ResourceSerializer },
): Promise<RecordSnapshot> {
  const { access } = record;
  const selection = {
    types: parameters.types,
    since: parameters.since?.at ?? null,
    state: await resolveState(deps, record, parameters.state),
  };
  const isFirstPage = parameters.offset === 0;
  const hasPerson = selectsPerson(record, selection);
  const patients = isFirstPage && hasPerson ? await findLinkedPatients(deps, record, selection.state) : [];
  const person =
    hasPerson && JSON.stringify(buildPersonResource({ ...record, patientId: access.patientId, patients }));
  const total = parameters.total ?? (await countResources(deps, record, selection)) + (hasPerson ? 1 : 0);
  return {
    record,
    selection,
    person: person || null,
    total,
    overrides: (after) => listOverrides(deps, record, { selection, serializer, after }),
    assumptions: {
      full: record.full,
      unchanged: selection.state.getTime() === record.last_synchronized_at?.getTime(),
    },
  };
}

/** The Patients that the person links to; their birth dates are asked where the account has none. */
export const findLinkedPatients = (
  { db, clock }: FhirDeps,
  { access, date_of_birth: birthDate }: AuthorizedRecord,
  state: Date,
): Promise<LinkedPatientRow[]> =>
  db.query(statements.selectLinkedPatients(access, { state, bodies: birthDate === null, now: clock.now() }));

/**
 * Of a record to which nothing came yet, the time of the account: what is on its way now may be stamped with a time that
 * has passed already.
 */
export const getNewestState = ({ last_synchronized_at: last, created_at: created }: AuthorizedRecord): Date =>
  last ?? created ?? new Date(0);

/** Resources that were changed since the state are shown as they were; a day after the change that is no longer known. */
async function resolveState(
  { db, clock }: FhirDeps,
  record: AuthorizedRecord,
  requested: Date | null,
): Promise<Date> {
  const now = clock.now();
  const newest = getNewestState(record);
  if (requested === null) return newest;
  if (requested > newest && requested > now)
    throw invalidInput([{ path: '_state', message: 'must be as a link of ours wrote it' }]);
  const purgedUntil = new Date(now.getTime() - TRAVERSAL_MS);
  if (requested < newest && requested < purgedUntil) {
    const { changed } = await one(db, statements.hasChangedBetween(record.access, requested, purgedUntil));
    if (changed)
      throw new Refusal(410, 'traversal_expired', {
        detail: 'The record has changed, and the state of its first page is kept for a day: begin anew.',
      });
  }
  return requested;
}

const selectsPerson = ({ created_at: created }: AuthorizedRecord, { types, since }: Selection): boolean =>
  types?.includes('Person') !== false && (since === null || (created !== null && created > since));

/** All of it is counted at every import. */
async function countResources(
  deps: FhirDeps,
  record: AuthorizedRecord,
  selection: Selection,
): Promise<number> {
  const now = deps.clock.now();
  const isWhole = selection.types === null && selection.since === null && record.full;
  if (isWhole && selection.state.getTime() === record.last_synchronized_at?.getTime())
    return record.total ?? 0;
  return (await one(deps.db, statements.countSelected(record.access, selection, now))).total;
}

/** Patients whose addresses the consent leaves out. */
async function* listOverrides(
  { db, clock }: FhirDeps,
  { access, contact }: AuthorizedRecord,
  { selection, serializer, after }: { selection: Selection; serializer: ResourceSerializer; after: number },
): AsyncGenerator<Override, undefined> {
  if (contact || selection.types?.includes('Patient') === false) return undefined;
  for (let last = after; ;) {
    const page = await db.query(
      statements.selectPatientsAfter(access, selection, { after: last, now: clock.now() }),
    );
    for (const { seq, fhir_id: id, body } of page)
      yield { seq, encoded: serializer.encode(`Patient/${id}`, removeContact(body)) };
    const end = page.at(-1);
    if (end === undefined) return undefined;
    last = end.seq;
  }
}

/** The place before the first resource of a page. */
export async function resolveCursor(
  deps: FhirDeps,
  { record, selection, person }: RecordSnapshot,
  { offset, after }: EverythingParameters,
): Promise<number> {
  const skip = offset - (person === null ? 0 : 1);
  if (after !== null) return after;
  if (skip <= 0) return 0;
  const now = deps.clock.now();
  const row = await maybeOne(deps.db, statements.selectSeqAt(record.access, selection, { skip, now }));
  // Beyond the end there is nothing.
  return row?.seq ?? Number.MAX_SAFE_INTEGER;
}
