import type { AuditAction } from '../../platform/audit/actions.ts';
import { randomBytes, randomInt } from 'node:crypto';
import type { z } from 'zod';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import type { createTestPatient, TestPatientDetails } from '../../../contract/organization/test-patients.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import { toActor, type Audit, type AuditEntry } from '../../platform/audit/append.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generatePatientId } from '../../platform/kernel/ids.ts';
import { generatePassword } from '../../platform/kernel/password.ts';
import { invalidInput, notFound } from '../../platform/kernel/refusal.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { PasswordLine } from '../tokens/password-line.ts';
import { maybeOne, one, type Db, type Queryable, type Tx } from '../../platform/db/db.ts';
import { createPatients, type CreateRecords } from './create-patients.ts';
import { deletePatient, eraseNow } from './delete-patient.ts';
import * as patients from './patients.sql.ts';
import * as statements from './test-patients.sql.ts';

export interface Deps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: Jobs;
  createRecords: CreateRecords;
  passwords: PasswordLine;
}

const FIRST_NAMES = [
  'Ada',
  'Amara',
  'Bruno',
  'Carmen',
  'Dmitri',
  'Elena',
  'Farid',
  'Grace',
  'Hiro',
  'Ines',
  'Jonas',
  'Kamala',
  'Luis',
  'Mei',
  'Noor',
  'Olga',
];
const LAST_NAMES = [
  'Alder',
  'Birch',
  'Cedar',
  'Elm',
  'Fir',
  'Hazel',
  'Juniper',
  'Larch',
  'Maple',
  'Oak',
  'Pine',
  'Rowan',
  'Spruce',
  'Willow',
  'Yew',
];

const pickRandom = (names: readonly string[]): string => names[randomInt(names.length)] as string;

/** `.invalid` never resolves (RFC 2606 §2): no mail to a test patient can reach a person. */
const generateTestEmail = (): string =>
  `test-patient-${randomBytes(8).toString('hex')}@patients.chartgate.invalid`;

type CreatedTestPatientDto = z.input<(typeof createTestPatient)['response']>;
type CreateTestPatientInput = z.infer<(typeof createTestPatient)['body']>;

export async function addTestPatient(
  { db, clock, audit, createRecords, passwords }: Deps,
  caller: OrganizationCaller,
  input: CreateTestPatientInput,
): Promise<CreatedTestPatientDto> {
  const password = generatePassword();
  const hash = await passwords.hash(password, caller.organizationId);
  const patient: patients.NewPatient = {
    patientId: generatePatientId(),
    testOrganizationId: caller.organizationId,
    email: generateTestEmail(),
    firstName: input.firstName ?? pickRandom(FIRST_NAMES),
    lastName: input.lastName ?? pickRandom(LAST_NAMES),
    dateOfBirth: input.dateOfBirth ?? null,
    phone: null,
    language: null,
  };
  await db.tx(async (tx) => {
    await createPatients(tx, createRecords, { candidates: [patient], now: clock.now() });
    await tx.query(patients.upsertPassword(patient.patientId, hash, clock.now()));
    await audit.write(tx, buildAuditEntry(caller, patient.patientId, 'test_patient.created'));
  });
  const { patientId: id, email, firstName, lastName } = patient;
  return { patient: { id, email, firstName, lastName, isTestPatient: true }, password };
}

type TestPatientDto = z.input<typeof TestPatientDetails>;

export async function listTestPatients(
  { db }: Deps,
  organizationId: OrganizationId,
  { after, limit, offset }: PageQuery & { after?: PatientId | undefined },
): Promise<{ total: number; results: TestPatientDto[]; next: PatientId | null }> {
  const position =
    after === undefined ? null : await maybeOne(db, statements.findTestPatient(organizationId, after));
  if (after !== undefined && position === null)
    throw invalidInput([{ path: 'after', message: 'must be `next` of a page of this list' }]);
  const page = { limit: limit + 1, offset: position === null ? offset : 0, after: position };
  const [{ total }, rows] = await Promise.all([
    one(db, statements.countTestPatients(organizationId)),
    db.query(statements.findTestPatients(organizationId, page)),
  ]);
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? (shown.at(-1)?.patient_id ?? null) : null;
  return { total, results: shown.map(toTestPatientDto), next };
}

export async function findTestPatient(
  { db }: Deps,
  organizationId: OrganizationId,
  patientId: PatientId,
): Promise<TestPatientDto> {
  return toTestPatientDto(await requireTestPatient(db, organizationId, patientId));
}

/** Returns the test patient of the organization; throws 404 for anybody else, people above all. */
export async function requireTestPatient(
  on: Queryable,
  organizationId: OrganizationId,
  patientId: PatientId,
): Promise<statements.TestPatientRow> {
  const row = await maybeOne(on, statements.findTestPatient(organizationId, patientId));
  if (!row) throw unknownTestPatient();
  return row;
}

/** Ends all consents of a patient, each with its event, in the caller's transaction. */
export type EndConsents = (tx: Tx, caller: OrganizationCaller, patientId: PatientId) => Promise<void>;

/** Deletes a test patient with all their data; the audit entries about them stay and hold no name. */
export async function deleteTestPatient(
  { db, clock, audit, jobs, endConsents }: Deps & { endConsents: EndConsents },
  caller: OrganizationCaller,
  patientId: PatientId,
): Promise<void> {
  await requireTestPatient(db, caller.organizationId, patientId);
  await db.tx(async (tx) => {
    // Before the patient, as a decision does.
    await tx.query(patients.lockEnrollments(patientId));
    await lockTestPatient(tx, caller, patientId);
    await endConsents(tx, caller, patientId);
    await deletePatient(tx, { jobs, audit }, { patientId, keepEvidence: false, now: clock.now() });
    await audit.write(tx, buildAuditEntry(caller, patientId, 'test_patient.deleted'));
  });
  await eraseNow(db, patientId);
}

export async function renewTestPatientPassword(
  { db, clock, audit, passwords }: Deps,
  caller: OrganizationCaller,
  patientId: PatientId,
): Promise<string> {
  const password = generatePassword();
  const hash = await passwords.hash(password, caller.organizationId);
  await db.tx(async (tx) => {
    await lockTestPatient(tx, caller, patientId);
    await tx.query(patients.upsertPassword(patientId, hash, clock.now()));
    await audit.write(tx, buildAuditEntry(caller, patientId, 'test_patient.password_renewed'));
  });
  return password;
}

/** Returns the locked test patient of the caller's organization; throws 404 for anybody else, people above all. */
export async function lockTestPatient(tx: Tx, caller: OrganizationCaller, patientId: PatientId) {
  const row = await maybeOne(tx, statements.lockTestPatient(caller.organizationId, patientId));
  if (!row) throw unknownTestPatient();
  return row;
}

/** The same refusal serves a patient of another organization, so that nobody learns whether an id exists elsewhere. */
const unknownTestPatient = () => notFound('The test patient');

const buildAuditEntry = (
  caller: OrganizationCaller,
  patientId: PatientId,
  action: AuditAction,
): AuditEntry => ({
  organizationId: caller.organizationId,
  action,
  actor: toActor(caller),
  patientId,
});

const toTestPatientDto = (row: statements.TestPatientRow): TestPatientDto => ({
  id: row.patient_id,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  isTestPatient: true,
  dateOfBirth: row.date_of_birth,
  createdAt: row.created_at.toISOString(),
  projectIds: row.project_ids,
});
