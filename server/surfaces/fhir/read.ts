import type { Caller, OrganizationCaller, PatientCaller } from '../../../contract/audience.ts';
import { FHIR_RESOURCE_TYPES } from '../../../contract/fhir/fhir-resource-types.ts';
import { PatientId } from '../../../contract/brands.ts';
import { partnerAccessFor } from '../../consent/access/partner-access.ts';
import { toLabelMask } from '../../consent/access/sensitivity-labels.ts';
import { createNotSharedRefusal } from '../../identity/patients/not-shared.ts';
import { notFound, Refusal } from '../../platform/kernel/refusal.ts';
import { maybeOne } from '../../platform/db/db.ts';
import {
  auditNothingRead,
  auditRead,
  auditRefusal,
  authorizeRecord,
  findSharedRecord,
  type FhirDeps,
  type AuthorizedRecord,
} from './authorize-record.ts';
import { redactBody } from '../../clinical/labels/redact.ts';
import { PERSON_TYPES } from '../../clinical/labels/contact-elements.ts';
import { CONTACT_CATEGORIES, removeContact } from './remove-contact.ts';
import { buildPersonResource, getRecordBase } from './person.ts';
import { MAX_RECORDS, selectResource, selectSharedResources, type SharedResourceRow } from './read.sql.ts';
import { createPathNotFoundRefusal } from './path-not-found.ts';
import { findLinkedPatients, findPersonChange, getNewestState } from './record-snapshot.ts';

const ACTION = 'fhir.read';

interface ReadInput {
  caller: Caller;
  type: string;
  id: string;
}

const resourceNotFound = (): Refusal => notFound('The resource');

/** Returns the person of a record as JSON. */
async function readPerson(deps: FhirDeps, record: AuthorizedRecord): Promise<string> {
  const patients = await findLinkedPatients(deps, record, getNewestState(record));
  await auditRead(deps, record, { action: ACTION, detail: { type: 'Person', entries: 1 } });
  const { patientId } = record.access;
  const recordBase = getRecordBase(deps.baseUrl, patientId);
  const changedAt = findPersonChange(record);
  return JSON.stringify(buildPersonResource({ ...record, patientId, patients, changedAt, recordBase }));
}

/** Returns the stored bytes of a resource in the record of one patient. */
export async function readResourceOfPerson(
  deps: FhirDeps,
  patientId: PatientId,
  input: ReadInput,
): Promise<string> {
  requireType(input);
  const record = await authorizeRecord(deps, { caller: input.caller, patientId, action: ACTION });
  return readAuthorized(deps, [record], input);
}

/** Returns the resource as the first record has it, and audits the read for each of them: what is in all is read of all. */
async function readAuthorized(
  deps: FhirDeps,
  [record, ...others]: readonly [AuthorizedRecord, ...AuthorizedRecord[]],
  { type, id }: ReadInput,
): Promise<string> {
  const found = await maybeOne(deps.db, selectResource(record.access, { type, id, now: deps.clock.now() }));
  if (!found) {
    // In the log of the organization and of the person, as any other call: what is withheld and what is unknown alike.
    const refusal = { action: ACTION, reason: 'not_found', type } as const;
    await Promise.all([record, ...others].map((each) => auditNothingRead(deps, each, refusal)));
    throw resourceNotFound();
  }
  const report = { action: ACTION, detail: { type, entries: 1 } } as const;
  await Promise.all([record, ...others].map((each) => auditRead(deps, each, report)));
  return redact(type, found);
}

const CONTACT = toLabelMask(CONTACT_CATEGORIES);

/** Returns what is sent of a resource under consents that leave `withheld` out. */
function redact(type: string, row: Omit<SharedResourceRow, 'patient_id'>): string {
  const body = redactBody(Buffer.from(row.body), row, row.withheld).toString();
  const hasContact = row.withheld.some((mask) => (mask & CONTACT) === 0);
  return PERSON_TYPES.has(type) && !hasContact ? removeContact(body) : body;
}

/**
 * Returns the resource of a type and id where the URL names no patient. Ids are stored as they came, so two patients may
 * have the same one: that of a shared hospital or doctor, or a small number. Resources of which the same bytes would be sent are
 * one answer; different ones throw `multiple_matches`.
 */
export async function readResource(deps: FhirDeps, input: ReadInput): Promise<string> {
  const { caller, type, id } = input;
  requireType(input);
  const patientId = type === 'Person' ? PatientId.safeParse(id).data : undefined;
  if (caller.kind === 'patient') return readOwnResource(deps, { ...input, caller }, patientId);
  const person = patientId && (await findSharedRecord(deps, caller, patientId));
  if (person) return readPerson(deps, person);
  const [owner, ...others] = await findSharingOwners(deps, { ...input, caller });
  if (owner) return readAuthorized(deps, [owner, ...others], input);
  // What no consent permits takes the same way as what does not exist.
  const isPerson = type === 'Person';
  const reason = isPerson ? 'access_revoked' : 'not_found';
  await auditRefusal(deps, { caller, patientId, action: ACTION, reason });
  throw isPerson ? createNotSharedRefusal() : resourceNotFound();
}

/** Returns a patient's own person, or a resource of their own record, which may hold a Person with any id. */
async function readOwnResource(
  deps: FhirDeps,
  input: ReadInput & { caller: PatientCaller },
  patientId: PatientId | undefined,
): Promise<string> {
  const { caller, type, id } = input;
  const now = deps.clock.now();
  const isOwnPerson = patientId === caller.patientId;
  const own = partnerAccessFor(caller, caller.patientId);
  if (
    patientId === undefined ||
    (!isOwnPerson && (await maybeOne(deps.db, selectResource(own, { type, id, now }))))
  )
    return readResourceOfPerson(deps, caller.patientId, input);
  return readPerson(deps, await authorizeRecord(deps, { caller, patientId, action: ACTION }));
}

/**
 * Finds the records with the resource that the organization may read now; throws `multiple_matches` when what would be sent of each
 * differs, or there are more than a read is audited for. What a consent leaves out is not compared: the answer would show it.
 */
async function findSharingOwners(
  deps: FhirDeps,
  { caller, type, id }: ReadInput & { caller: OrganizationCaller },
): Promise<AuthorizedRecord[]> {
  const now = deps.clock.now();
  const rows = await deps.db.query(selectSharedResources(caller, { type, id, now }));
  if (rows.length > MAX_RECORDS || new Set(rows.map((row) => redact(type, row))).size > 1) {
    await auditRefusal(deps, { caller, action: ACTION, reason: 'multiple_matches' });
    throw new Refusal(409, 'multiple_matches', {
      detail:
        rows.length > MAX_RECORDS
          ? `More than ${MAX_RECORDS} patients have a resource of this type and id; name the patient: Person/{patientId}/{type}/{id}.`
          : 'Several patients have different resources of this type and id; name the patient: Person/{patientId}/{type}/{id}.',
    });
  }
  const records = await Promise.all(
    rows.map(({ patient_id: patientId }) => findSharedRecord(deps, caller, patientId)),
  );
  return records.filter((record) => record !== null);
}

/** A path that ends with a slash names no resource, and an operation with one is no type. */
function requireType({ type, id }: Pick<ReadInput, 'type' | 'id'>): void {
  if (id === '') throw createPathNotFoundRefusal();
  if (!FHIR_RESOURCE_TYPES.has(type))
    throw new Refusal(404, 'unknown_type', { detail: 'This is not a resource type of FHIR R4.' });
}
