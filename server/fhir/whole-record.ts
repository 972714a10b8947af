import { maybeOne, one } from '../storage/db.ts';
import type { EverythingParameters } from './everything-parameters.ts';
import { Refusal, invalidInput } from '../kernel/refusal.ts';
import type { FhirDeps, OpenRecord } from './open-record.ts';
import { withoutContact } from './patient-body.ts';
import { personResource } from './person.ts';
import * as statements from './record.sql.ts';
import type { Hope, LinkedPatient, Selection } from './record.sql.ts';
import type { Replaced } from './stretches.ts';
import type { Telling } from './telling.ts';

/** A record as one traversal sees it. */
export interface WholeRecord {
  record: OpenRecord;
  selection: Selection;
  /** Person resource as JSON, where the selection holds it. */
  person: string | null;
  /** Entries of the selection, the person among them. */
  total: number;
  replaced: (after: number) => AsyncIterator<Replaced, undefined>;
  hope: Hope;
}

const DAY_MS = 24 * 3600 * 1000;

/** How long after the first page of a traversal its others are to be had. */
export const TRAVERSAL_MS = DAY_MS;

/** What the selection holds; the state of the record is the one the link says, or that of now. */
export async function wholeRecord(
  deps: FhirDeps,
  record: OpenRecord,
  { parameters, telling }: { parameters: EverythingParameters; telling: Telling },
): Promise<WholeRecord> {
  const { access } = record;
  const selection = {
    types: parameters.types,
    since: parameters.since?.at ?? null,
    state: await stateOf(deps, record, parameters.state),
  };
  const first = parameters.offset === 0;
  const hasPerson = selectsPerson(record, selection);
  const patients = first && hasPerson ? await patientsLinked(deps, record, selection.state) : [];
  const person =
    hasPerson && JSON.stringify(personResource({ ...record, patientId: access.patientId, patients }));
  const total = parameters.total ?? (await count(deps, record, selection)) + (hasPerson ? 1 : 0);
  return {
    record,
    selection,
    person: person || null,
    total,
    replaced: (after) => withoutAddresses(deps, record, { selection, telling, after }),
    hope: {
      full: record.full,
      unchanged: selection.state.getTime() === record.last_synchronized_at?.getTime(),
    },
  };
}

/** The Patients that the person links to; their birth dates are asked where the account has none. */
export const patientsLinked = (
  { db, clock }: FhirDeps,
  { access, date_of_birth: birthDate }: OpenRecord,
  state: Date,
): Promise<LinkedPatient[]> =>
  db.query(statements.linkedPatients(access, { state, bodies: birthDate === null, now: clock.now() }));

/**
 * Of a record to which nothing came yet, the time of the account: what is on its way now may be stamped with a time that
 * has passed already.
 */
export const newestState = ({ last_synchronized_at: last, created_at: created }: OpenRecord): Date =>
  last ?? created ?? new Date(0);

/** Resources that were changed since the state are shown as they were; a day after the change that is no longer known. */
async function stateOf({ db, clock }: FhirDeps, record: OpenRecord, asked: Date | null): Promise<Date> {
  const now = clock.now();
  const newest = newestState(record);
  if (asked === null) return newest;
  if (asked > newest && asked > now)
    throw invalidInput([{ path: '_state', message: 'must be as a link of ours wrote it' }]);
  const forgotten = new Date(now.getTime() - TRAVERSAL_MS);
  if (asked < newest && asked < forgotten) {
    const { changed } = await one(db, statements.changedBetween(record.access, asked, forgotten));
    if (changed)
      throw new Refusal(410, 'traversal_expired', {
        detail: 'The record has changed, and the state of its first page is kept for a day: begin anew.',
      });
  }
  return asked;
}

const selectsPerson = ({ created_at: created }: OpenRecord, { types, since }: Selection): boolean =>
  types?.includes('Person') !== false && (since === null || (created !== null && created > since));

/** All of it is counted at every import. */
async function count(deps: FhirDeps, record: OpenRecord, selection: Selection): Promise<number> {
  const now = deps.clock.now();
  const whole = selection.types === null && selection.since === null && record.full;
  if (whole && selection.state.getTime() === record.last_synchronized_at?.getTime()) return record.total ?? 0;
  return (await one(deps.db, statements.countSelected(record.access, selection, now))).total;
}

/** Patients whose addresses the consent leaves out. */
async function* withoutAddresses(
  { db, clock }: FhirDeps,
  { access, contact }: OpenRecord,
  { selection, telling, after }: { selection: Selection; telling: Telling; after: number },
): AsyncGenerator<Replaced, undefined> {
  if (contact || selection.types?.includes('Patient') === false) return undefined;
  for (let last = after; ;) {
    const page = await db.query(
      statements.patientsAfter(access, selection, { after: last, now: clock.now() }),
    );
    for (const { seq, fhir_id: id, body } of page)
      yield { seq, told: telling.tell(`Patient/${id}`, withoutContact(body)) };
    const end = page.at(-1);
    if (end === undefined) return undefined;
    last = end.seq;
  }
}

/** The place before the first resource of a page. */
export async function placeOf(
  deps: FhirDeps,
  { record, selection, person }: WholeRecord,
  { offset, after }: EverythingParameters,
): Promise<number> {
  const skip = offset - (person === null ? 0 : 1);
  if (after !== null) return after;
  if (skip <= 0) return 0;
  const now = deps.clock.now();
  const place = await maybeOne(deps.db, statements.placeAt(record.access, selection, { skip, now }));
  // Beyond the end there is nothing.
  return place?.seq ?? Number.MAX_SAFE_INTEGER;
}
