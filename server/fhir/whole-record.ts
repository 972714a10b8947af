import { maybeOne, one } from '../storage/db.ts';
import type { EverythingParameters } from './everything-parameters.ts';
import { Refusal, invalidInput } from '../kernel/refusal.ts';
import type { FhirDeps, OpenRecord } from './open-record.ts';
import { withoutContact } from './patient-body.ts';
import { personResource } from './person.ts';
import * as statements from './record.sql.ts';
import type { Hope, PatientResource, Selection } from './record.sql.ts';
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
  replaced: readonly Replaced[];
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
  const now = deps.clock.now();
  const { access } = record;
  const selection = {
    types: parameters.types,
    since: parameters.since?.at ?? null,
    state: stateOf(record, parameters.state, now),
  };
  const first = parameters.offset === 0;
  const hasPerson = selectsPerson(record, selection);
  const patients =
    (first && hasPerson) || !record.contact
      ? await deps.db.query(statements.patientResources(access, { state: selection.state, now }))
      : [];
  const person =
    hasPerson && JSON.stringify(personResource({ ...record, patientId: access.patientId, patients }));
  const total = parameters.total ?? (await count(deps, record, selection)) + (hasPerson ? 1 : 0);
  return {
    record,
    selection,
    person: person || null,
    total,
    replaced: replacedIn(record, { selection, patients, telling }),
    hope: {
      full: record.full,
      unchanged: selection.state.getTime() === record.last_synchronized_at?.getTime(),
    },
  };
}

/** Resources that were changed since the state are shown as they were; after a day that is no longer known. */
function stateOf({ last_synchronized_at: last }: OpenRecord, asked: Date | null, now: Date): Date {
  const newest = last ?? now;
  if (asked === null) return newest;
  if (asked > newest && asked > now)
    throw invalidInput([{ path: '_state', message: 'must be as a link of ours wrote it' }]);
  if (asked < newest && now.getTime() - asked.getTime() > TRAVERSAL_MS)
    throw new Refusal(410, 'traversal_expired', {
      detail: 'The record has changed, and the state of its first page is kept for a day: begin anew.',
    });
  return asked;
}

const selectsPerson = ({ created_at: created }: OpenRecord, { types, since }: Selection): boolean =>
  types?.includes('Person') !== false && (since === null || (created !== null && created >= since));

/** All of it is counted at every import. */
async function count(deps: FhirDeps, record: OpenRecord, selection: Selection): Promise<number> {
  const now = deps.clock.now();
  const whole = selection.types === null && selection.since === null && record.full;
  if (whole && selection.state.getTime() === record.last_synchronized_at?.getTime()) return record.total ?? 0;
  return (await one(deps.db, statements.countSelected(record.access, selection, now))).total;
}

/** Patients whose addresses the consent leaves out. */
function replacedIn(
  { contact }: OpenRecord,
  {
    selection,
    patients,
    telling,
  }: { selection: Selection; patients: readonly PatientResource[]; telling: Telling },
): Replaced[] {
  if (contact || selection.types?.includes('Patient') === false) return [];
  return patients.map(({ seq, fhir_id: id, body }) => ({
    seq,
    told: telling.tell(`Patient/${id}`, withoutContact(body)),
  }));
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
