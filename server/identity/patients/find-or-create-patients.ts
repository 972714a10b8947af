import type { Email, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { EnrollmentEntry } from '../../../contract/organization/enrollment.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generatePatientId } from '../../platform/kernel/ids.ts';
import { createPatients, type CreateRecords } from './create-patients.ts';
import * as statements from './patients.sql.ts';
import type { Enrollee } from './validate-items.ts';

export interface KnownPatient {
  patientId: PatientId;
  hasAccount: boolean;
  testOrganizationId: OrganizationId | null;
}

interface Project {
  projectId: ProjectId;
  organizationId: OrganizationId;
}

/**
 * Returns the patient of every person: the one whom the organization knows by the address already, else the one whose address
 * it is, or a new one. Safe against requests that enroll the same person at once, and against people who delete their account
 * meanwhile: whoever is gone when their row is to be locked is created anew.
 */
export async function findOrCreatePatients(
  tx: Tx,
  { clock, createRecords }: { clock: Clock; createRecords: CreateRecords },
  { people, project }: { people: readonly Enrollee[]; project: Project },
): Promise<Map<Email, KnownPatient>> {
  const candidates = [
    ...new Map(people.map((person) => [person.email, toNewPatient(person.entry)])).entries(),
  ];
  const known = await findEnrolled(tx, project, [...new Set(people.map(({ email }) => email))]);
  const listMissing = () => candidates.filter(([email]) => !known.has(email));
  for (let rest = listMissing(); rest.length > 0; rest = listMissing()) {
    const missing = rest.map(([, patient]) => patient);
    await createPatients(tx, createRecords, { candidates: missing, now: clock.now() });
    const rows = await tx.query(statements.lockPatientsByEmail(rest.map(([email]) => email)));
    for (const { email, ...row } of rows) known.set(email, toKnownPatient(row));
  }
  return known;
}

/** Finds those whom the organization has written the address of: they may have another of their own. */
async function findEnrolled(
  tx: Tx,
  project: Project,
  emails: readonly Email[],
): Promise<Map<Email, KnownPatient>> {
  const written = await tx.query(statements.selectEnrolledByEmail(project, emails));
  const ids = written.map(({ patient_id: patientId }) => patientId);
  const patients = ids.length === 0 ? [] : await tx.query(statements.lockPatientsById(ids));
  const known = new Map<Email, KnownPatient>();
  for (const { email, patient_id: patientId } of written) {
    const row = patients.find((patient) => patient.patient_id === patientId);
    if (row) known.set(email, toKnownPatient(row));
  }
  return known;
}

const toKnownPatient = (row: statements.LockedPatientRow): KnownPatient => ({
  patientId: row.patient_id,
  testOrganizationId: row.test_organization_id,
  hasAccount: row.has_account,
});

const toNewPatient = (entry: EnrollmentEntry): statements.NewPatient => ({
  patientId: generatePatientId(),
  testOrganizationId: null,
  email: entry.email,
  firstName: entry.firstName,
  lastName: entry.lastName,
  dateOfBirth: entry.dateOfBirth ?? null,
  phone: entry.phone ?? null,
  language: entry.languagePreference ?? null,
});
