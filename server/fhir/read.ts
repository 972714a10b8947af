import type { Caller } from '../../contract/audience.ts';
import { FHIR_RESOURCE_TYPES } from '../../contract/fhir-resource-types.ts';
import { PatientId } from '../../contract/ids.ts';
import { partnerAccess } from '../consent/partner-access.ts';
import { notFound, Refusal } from '../kernel/refusal.ts';
import { maybeOne, one } from '../storage/db.ts';
import { auditReading, openRecord, type FhirDeps, type OpenRecord } from './open-record.ts';
import { withoutContact } from './patient-body.ts';
import { personResource } from './person.ts';
import { accountExists, resourceOf, resourcesShared } from './read.sql.ts';
import { newestState, patientsLinked } from './whole-record.ts';

const ACTION = 'fhir.read';

interface Wanted {
  caller: Caller;
  type: string;
  id: string;
}

const noResource = (): Refusal => notFound('The resource');

/** The person as JSON. */
async function readPerson(deps: FhirDeps, caller: Caller, patientId: PatientId): Promise<string> {
  const record = await openRecord(deps, { caller, patientId, action: ACTION });
  const patients = await patientsLinked(deps, record, newestState(record));
  await auditReading(deps, record, { action: ACTION, detail: { type: 'Person', entries: 1 } });
  return JSON.stringify(personResource({ ...record, patientId, patients }));
}

/** The resource's own bytes. */
export async function readOfPerson(deps: FhirDeps, patientId: PatientId, wanted: Wanted): Promise<string> {
  demandType(wanted.type);
  const record = await openRecord(deps, { caller: wanted.caller, patientId, action: ACTION });
  return readOpened(deps, record, wanted);
}

async function readOpened(deps: FhirDeps, record: OpenRecord, { type, id }: Wanted): Promise<string> {
  const found = await maybeOne(deps.db, resourceOf(record.access, { type, id, now: deps.clock.now() }));
  if (!found) throw noResource();
  await auditReading(deps, record, { action: ACTION, detail: { type, entries: 1 } });
  return type === 'Patient' && !record.contact ? withoutContact(found.body) : found.body;
}

/**
 * The same where the address does not say whose it is. Ids are kept as they came, so two patients may have the same one:
 * of a hospital or a doctor that both know, or small numbers. What is equal byte for byte is answered; what differs is
 * nobody's guess.
 */
export async function readResource(deps: FhirDeps, wanted: Wanted): Promise<string> {
  const { caller, type, id } = wanted;
  demandType(type);
  const patientId = type === 'Person' ? PatientId.safeParse(id).data : undefined;
  if (patientId !== undefined && (await meansAccount(deps, wanted, patientId)))
    return readPerson(deps, caller, patientId);
  if (caller.kind === 'patient') return readOfPerson(deps, caller.patientId, wanted);
  const now = deps.clock.now();
  const rows = await deps.db.query(resourcesShared(caller.organizationId, { type, id, now }));
  const [first] = rows;
  if (!first) throw noResource();
  const bodies = new Set(rows.filter(({ permitted }) => permitted).map(({ body }) => body));
  if (bodies.size > 1)
    throw new Refusal(409, 'multiple_matches', {
      detail:
        'Several patients have different resources of this type and id; read Person/{patientId}/{type}/{id} of the one you mean.',
    });
  const whose = PatientId.parse(first.patient_id);
  return readOpened(deps, await openRecord(deps, { caller, patientId: whose, action: ACTION }), wanted);
}

/** Whether this is the person of an account, and not a Person that a document brought. Patients learn of nobody else's. */
async function meansAccount(
  { db, clock }: FhirDeps,
  { caller, ...wanted }: Wanted,
  patientId: PatientId,
): Promise<boolean> {
  if (caller.kind !== 'patient') return (await one(db, accountExists(patientId))).exists;
  if (caller.patientId === patientId) return true;
  const own = partnerAccess(caller, caller.patientId);
  return (await maybeOne(db, resourceOf(own, { ...wanted, now: clock.now() }))) === null;
}

function demandType(type: string): void {
  if (!FHIR_RESOURCE_TYPES.has(type))
    throw new Refusal(404, 'unknown_type', { detail: 'This is not a resource type of FHIR R4.' });
}
