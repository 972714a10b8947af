import type { Caller } from '../../../contract/audience.ts';
import { FHIR_RESOURCE_TYPES } from '../../../contract/fhir/fhir-resource-types.ts';
import { PatientId } from '../../../contract/brands.ts';
import { partnerAccessFor } from '../../consent/access/partner-access.ts';
import { notFound, Refusal } from '../../platform/kernel/refusal.ts';
import { maybeOne, one } from '../../platform/db/db.ts';
import { auditRead, authorizeRecord, type FhirDeps, type AuthorizedRecord } from './authorize-record.ts';
import { removeContact } from './remove-contact.ts';
import { buildPersonResource } from './person.ts';
import { accountExists, selectResource, selectSharedResources } from './read.sql.ts';
import { getNewestState, findLinkedPatients } from './record-snapshot.ts';

const ACTION = 'fhir.read';

interface ReadInput {
  caller: Caller;
  type: string;
  id: string;
}

const resourceNotFound = (): Refusal => notFound('The resource');

/** Returns the person as JSON. */
async function readPerson(deps: FhirDeps, caller: Caller, patientId: PatientId): Promise<string> {
  const record = await authorizeRecord(deps, { caller, patientId, action: ACTION });
  const patients = await findLinkedPatients(deps, record, getNewestState(record));
  await auditRead(deps, record, { action: ACTION, detail: { type: 'Person', entries: 1 } });
  return JSON.stringify(buildPersonResource({ ...record, patientId, patients }));
}

/** Returns the stored bytes of a resource in the record of one patient. */
export async function readResourceOfPerson(
  deps: FhirDeps,
  patientId: PatientId,
  input: ReadInput,
): Promise<string> {
  requireType(input.type);
  const record = await authorizeRecord(deps, { caller: input.caller, patientId, action: ACTION });
  return readAuthorized(deps, record, input);
}

async function readAuthorized(
  deps: FhirDeps,
  record: AuthorizedRecord,
  { type, id }: ReadInput,
): Promise<string> {
  const found = await maybeOne(deps.db, selectResource(record.access, { type, id, now: deps.clock.now() }));
  if (!found) throw resourceNotFound();
  await auditRead(deps, record, { action: ACTION, detail: { type, entries: 1 } });
  return type === 'Patient' && !record.contact ? removeContact(found.body) : found.body;
}

/**
 * Returns the resource of a type and id where the URL names no patient. Ids are stored as they came, so two patients may
 * have the same one: that of a shared hospital or doctor, or a small number. Resources that are equal byte for byte are one
 * answer; different ones throw `multiple_matches`.
 */
export async function readResource(deps: FhirDeps, input: ReadInput): Promise<string> {
  const { caller, type, id } = input;
  requireType(type);
  const patientId = type === 'Person' ? PatientId.safeParse(id).data : undefined;
  if (patientId !== undefined && (await isAccountPerson(deps, input, patientId)))
    return readPerson(deps, caller, patientId);
  if (caller.kind === 'patient') return readResourceOfPerson(deps, caller.patientId, input);
  const now = deps.clock.now();
  const rows = await deps.db.query(selectSharedResources(caller.organizationId, { type, id, now }));
  const [first] = rows;
  if (!first) throw resourceNotFound();
  const bodies = new Set(rows.filter(({ permitted }) => permitted).map(({ body }) => body));
  if (bodies.size > 1)
    throw new Refusal(409, 'multiple_matches', {
      detail:
        'Several patients have different resources of this type and id; name the patient: Person/{patientId}/{type}/{id}.',
    });
  const ownerId = PatientId.parse(first.patient_id);
  return readAuthorized(
    deps,
    await authorizeRecord(deps, { caller, patientId: ownerId, action: ACTION }),
    input,
  );
}

/** True for the person of an account, not a Person from a document. A patient learns of no account but their own. */
async function isAccountPerson(
  { db, clock }: FhirDeps,
  { caller, ...input }: ReadInput,
  patientId: PatientId,
): Promise<boolean> {
  if (caller.kind !== 'patient') return (await one(db, accountExists(patientId))).exists;
  if (caller.patientId === patientId) return true;
  const ownAccess = partnerAccessFor(caller, caller.patientId);
  return (await maybeOne(db, selectResource(ownAccess, { ...input, now: clock.now() }))) === null;
}

function requireType(type: string): void {
  if (!FHIR_RESOURCE_TYPES.has(type))
    throw new Refusal(404, 'unknown_type', { detail: 'This is not a resource type of FHIR R4.' });
}
