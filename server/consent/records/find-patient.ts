import type { Caller, OrganizationCaller, PatientCaller } from '../../../contract/audience.ts';
import { toEmail, type Email, type PatientId } from '../../../contract/brands.ts';
import { createNotSharedRefusal } from '../../identity/patients/not-shared.ts';
import { forbidden, invalidInput, Refusal, unauthorized } from '../../platform/kernel/refusal.ts';
import { normalizePhone } from '../../identity/patients/phone.ts';
import { maybeOne, type Queryable } from '../../platform/db/db.ts';
import * as statements from './find-patient.sql.ts';
import type { PatientIdRow } from './find-patient.sql.ts';

interface Identifiers {
  email?: string | undefined;
  phone?: string | undefined;
  patientId?: PatientId | undefined;
  externalId?: string | undefined;
}

type Identifier =
  | { by: 'email'; email: Email }
  | { by: 'phone'; phone: string }
  | { by: 'patientId'; patientId: PatientId }
  | { by: 'externalId'; externalId: string };

/** The nil UUID, which no patient has. */
export const NOBODY = '00000000-0000-0000-0000-000000000000' as PatientId;

/**
 * Finds the patient that exactly one identifier names, or nobody, for whom `requireDecision` throws. A telephone number
 * and an external id are the caller's organization's own, an e-mail address where it has written one; a patient id is global. The token of a
 * patient finds that patient only.
 */
export async function findPatient(
  db: Queryable,
  caller: Caller,
  identifiers: Identifiers,
): Promise<PatientId> {
  const identifier = requireOneIdentifier(identifiers);
  if (caller.kind === 'patient') {
    if (!(await isCaller(db, caller, identifier)))
      throw forbidden('A patient token reads the consent records of its own patient only.', 'wrong_patient');
    return caller.patientId;
  }
  const found = await findMatchingPatients(db, caller, identifier);
  if (found.length > 1) {
    // That several have it is said of those who share: of others there is the one answer, as if they did not exist.
    if ((await selectDecided(db, caller, found)).length === 0) return NOBODY;
    throw new Refusal(409, 'ambiguous_identifier', {
      detail: 'Several patients of this organization have this identifier; name one by another.',
    });
  }
  // Nobody's id is looked up like anybody's, so that an unknown identifier takes as long as a known one.
  return found[0]?.patient_id ?? NOBODY;
}

/**
 * Requires that the patient has ever made a decision for the caller's organization: the records of a consent that was
 * withdrawn remain its evidence. Throws 403 `no_consent`, whether or not there is such a patient, and 401 for a patient
 * whose account was deleted.
 */
export async function requireDecision(db: Queryable, caller: Caller, patientId: PatientId): Promise<void> {
  if (caller.kind === 'patient') return requireAccount(db, caller);
  if (await maybeOne(db, statements.hasDecisionFor(patientId, caller))) return;
  throw createNotSharedRefusal();
}

/** Throws 401 for a deleted account: its records remain, and its last token, valid for an hour, must not open them. */
export async function requireAccount(db: Queryable, { patientId }: PatientCaller): Promise<void> {
  if (!(await maybeOne(db, statements.selectAccountById(patientId)))) throw unauthorized();
}

function requireOneIdentifier({ email, phone, patientId, externalId }: Identifiers): Identifier {
  const candidates: Identifier[] = [
    ...(email === undefined ? [] : [{ by: 'email' as const, email: toEmail(email.trim()) }]),
    ...(phone === undefined ? [] : [{ by: 'phone' as const, phone: parsePhone(phone) }]),
    ...(patientId === undefined ? [] : [{ by: 'patientId' as const, patientId }]),
    ...(externalId === undefined ? [] : [{ by: 'externalId' as const, externalId: externalId.trim() }]),
  ];
  const [only] = candidates;
  if (only === undefined || candidates.length > 1)
    throw invalidInput([
      { path: 'query', message: 'must name exactly one of email, phone, patientId and externalId' },
    ]);
  return only;
}

/** An unencoded plus sign arrives as a space (application/x-www-form-urlencoded). */
function parsePhone(phone: string): string {
  const digits = normalizePhone(phone.replace(/^ /, '+'));
  if (digits === '') throw invalidInput([{ path: 'phone', message: 'must be a telephone number' }]);
  return digits;
}

async function isCaller(
  db: Queryable,
  { patientId }: PatientCaller,
  identifier: Identifier,
): Promise<boolean> {
  switch (identifier.by) {
    case 'patientId':
      return identifier.patientId === patientId;
    case 'email':
      return (
        (await maybeOne(db, statements.selectPatientByEmail(identifier.email)))?.patient_id === patientId
      );
    case 'phone':
      return (await maybeOne(db, statements.hasPhone(patientId, identifier.phone))) !== null;
    default:
      return (await maybeOne(db, statements.hasExternalId(patientId, identifier.externalId))) !== null;
  }
}

function findMatchingPatients(
  db: Queryable,
  caller: OrganizationCaller,
  identifier: Identifier,
): Promise<PatientIdRow[]> {
  switch (identifier.by) {
    case 'patientId':
      return db.query(statements.selectPatientById(identifier.patientId));
    case 'email':
      return findPatientsByEmail(db, caller, identifier.email);
    case 'phone':
      return findPatientsByPhone(db, caller, identifier.phone);
    default:
      return db.query(statements.selectPatientsByExternalId(caller, identifier.externalId));
  }
}

/** An address that the organization has written of somebody is theirs for it, whatever the person's own is. */
async function findPatientsByEmail(
  db: Queryable,
  caller: OrganizationCaller,
  email: Email,
): Promise<PatientIdRow[]> {
  const [written, own] = [
    await db.query(statements.selectPatientsByWrittenEmail(caller, email)),
    await db.query(statements.selectPatientByEmail(email)),
  ];
  return written.length > 0 ? written : own;
}

/** A family may share a number: of whoever is limited to projects, those count who decided on one of these. */
async function findPatientsByPhone(
  db: Queryable,
  caller: OrganizationCaller,
  phone: string,
): Promise<PatientIdRow[]> {
  const rows = await db.query(statements.selectPatientsByPhone(caller, phone));
  return caller.projectIds === null ? rows : selectDecided(db, caller, rows);
}

const selectDecided = (
  db: Queryable,
  caller: OrganizationCaller,
  found: readonly PatientIdRow[],
): Promise<PatientIdRow[]> =>
  db.query(
    statements.selectDecided(
      found.map(({ patient_id: patientId }) => patientId),
      caller,
    ),
  );
