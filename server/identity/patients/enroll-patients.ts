import type { EnrollmentResult } from '../../../contract/organization/enrollment.ts';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { Email, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { maybeOne, type Db, type Tx } from '../../platform/db/db.ts';
import type { CreateRecords } from './create-patients.ts';
import { findOrCreatePatients, type KnownPatient } from './find-or-create-patients.ts';
import { enqueueEnrollmentMail } from './invitation.ts';
import { findMailSender } from '../organizations/mail-sender.ts';
import { findAskingProjects } from '../organizations/projects.sql.ts';
import { insertPhones } from './patient-phones.sql.ts';
import * as statements from './patients.sql.ts';
import { buildWarnings } from './shared-external-ids.ts';
import { validateItems, type Enrollee } from './validate-items.ts';
import { normalizePhone } from './phone.ts';
import { markInvited } from './progress.sql.ts';

export interface Deps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: Jobs;
  consentAppUrl: string;
  createRecords: CreateRecords;
  findStandings: FindStandings;
}

/** The newest decision of a patient on one type of consent. */
export type Standing = EnrollmentResult['duplicates'][number]['consents'][number];

/** Finds how patients stand to a project, in the transaction that enrolls; `consent/records` knows. */
export type FindStandings = (
  tx: Tx,
  patientIds: readonly PatientId[],
  projectId: ProjectId,
) => Promise<ReadonlyMap<PatientId, Standing[]>>;

interface Enrollment {
  project: { projectId: ProjectId; organizationId: OrganizationId };
  caller: OrganizationCaller;
  items: readonly unknown[];
  invite: boolean;
  /** Nothing is kept of it. */
  dryRun: boolean;
}

/**
 * Enrolls up to 1,000 people in one transaction. The result names each item that is faulty or enrolled already by its
 * index; such an item affects no other. A dry run does all of it and takes it back.
 */
export async function enrollPatients(deps: Deps, enrollment: Enrollment): Promise<EnrollmentResult> {
  const { people, errors } = validateItems(enrollment.items);
  try {
    return await deps.db.tx(async (tx) => {
      const result = await enrollInTx(tx, deps, { enrollment, people, errors });
      if (enrollment.dryRun) throw new DryRun(result);
      return result;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.result;
    throw error;
  }
}

/** Takes a dry run back. Ids of people who would be created are of no use. */
class DryRun extends Error {
  readonly result: EnrollmentResult;

  constructor({ duplicates, successfulPatients, ...rest }: EnrollmentResult) {
    super('dry run');
    const enrolled = new Set(successfulPatients.map(({ referenceId }) => referenceId));
    this.result = {
      ...rest,
      duplicates: duplicates.map((item) =>
        enrolled.has(item.referenceId) ? { ...item, referenceId: null } : item,
      ),
      successfulPatients: successfulPatients.map((item) => ({ ...item, referenceId: null })),
    };
  }
}

interface ValidatedEnrollment {
  enrollment: Enrollment;
  people: readonly Enrollee[];
  errors: EnrollmentResult['errors'];
}

async function enrollInTx(
  tx: Tx,
  deps: Deps,
  { enrollment, people, errors }: ValidatedEnrollment,
): Promise<EnrollmentResult> {
  const known = await findOrCreatePatients(tx, deps, { people, project: enrollment.project });
  const foreign = people.filter(({ email }) =>
    isForeignTestPatient(known.get(email), enrollment.project.organizationId),
  );
  const own = people.filter((person) => !foreign.includes(person));
  const fresh = new Set(await addEnrollments(tx, own, { known, enrollment, now: deps.clock.now() }));
  const results = own.map(({ patientIndex, entry, email }) => ({
    patientIndex,
    email: entry.email,
    referenceId: (known.get(email) as KnownPatient).patientId,
  }));
  // The first mention of a person enrolls them; further mentions in the same request are duplicates.
  const successful = results.filter(({ referenceId }) => fresh.delete(referenceId));
  const duplicates = results.filter((item) => !successful.includes(item));
  const refused = foreign.map(toRefusedItem);
  const counts = {
    successCount: successful.length,
    errorCount: errors.length + refused.length,
    duplicatesCount: duplicates.length,
  };
  await auditEnrollment(tx, deps, {
    enrollment,
    enrolled: successful.map(({ referenceId }) => referenceId),
    detail: { enrolled: counts.successCount, duplicates: counts.duplicatesCount, errors: counts.errorCount },
  });
  if (enrollment.invite) {
    const invited = new Set(successful.map(({ patientIndex }) => patientIndex));
    const people = own.filter(
      ({ patientIndex, email }) => invited.has(patientIndex) && !known.get(email)?.testOrganizationId,
    );
    await inviteAll(tx, deps, { enrollment, people });
    const patientIds = people.map(({ email }) => (known.get(email) as KnownPatient).patientId);
    await tx.query(markInvited(enrollment.project.projectId, patientIds, deps.clock.now()));
  }
  return {
    totalProcessed: enrollment.items.length,
    ...counts,
    errors: [...errors, ...refused].sort((one, other) => one.patientIndex - other.patientIndex),
    duplicates: await addStandings(tx, deps, { enrollment, duplicates }),
    successfulPatients: successful,
    ...(await buildWarnings(tx, enrollment, successful)),
  };
}

const toRefusedItem = ({ patientIndex, entry: { email } }: Enrollee): EnrollmentResult['errors'][number] => ({
  patientIndex,
  email,
  error: 'This e-mail address cannot be enrolled.',
});

/** Enrolling somebody again says how they stand. */
async function addStandings<Item extends { referenceId: PatientId }>(
  tx: Tx,
  { findStandings }: Deps,
  { enrollment, duplicates }: { enrollment: Enrollment; duplicates: readonly Item[] },
): Promise<(Item & { consents: Standing[] })[]> {
  if (duplicates.length === 0) return [];
  const patientIds = duplicates.map(({ referenceId }) => referenceId);
  const standings = await findStandings(tx, patientIds, enrollment.project.projectId);
  return duplicates.map((item) => ({ ...item, consents: standings.get(item.referenceId) ?? [] }));
}

/** A test patient belongs to the organization that created it, and no other may enroll it. */
const isForeignTestPatient = (known: KnownPatient | undefined, organizationId: OrganizationId): boolean =>
  known !== undefined && known.testOrganizationId !== null && known.testOrganizationId !== organizationId;

async function addEnrollments(
  tx: Tx,
  people: readonly Enrollee[],
  context: { known: Map<Email, KnownPatient>; enrollment: Enrollment; now: Date },
): Promise<PatientId[]> {
  const entries = new Map(
    people.toReversed().map((person) => {
      const { entry } = person;
      const { patientId, hasAccount } = context.known.get(person.email) as KnownPatient;
      const phone = normalizePhone(entry.phone ?? '');
      const { email, firstName, lastName, externalId = null, dateOfBirth = null } = entry;
      const written = { email, firstName, lastName, dateOfBirth, language: entry.languagePreference ?? null };
      return [patientId, { patientId, externalId, ...written, hasAccount, phone }];
    }),
  );
  const { project } = context.enrollment;
  const rows = await tx.query(
    statements.insertEnrollments([...entries.values()], { ...project, now: context.now }),
  );
  const enrolled = new Set(rows.map(({ patient_id }) => patient_id));
  const phones = [...entries.values()].filter((entry) => entry.phone !== '' && enrolled.has(entry.patientId));
  if (phones.length > 0) await tx.query(insertPhones(project.organizationId, [project.projectId], phones));
  return [...enrolled];
}

/** Writes one audit entry for the call, and one for each patient who was enrolled. */
async function auditEnrollment(
  tx: Tx,
  { audit }: Deps,
  { enrollment, enrolled, detail }: { enrollment: Enrollment; enrolled: PatientId[]; detail: object },
): Promise<void> {
  const { project, caller } = enrollment;
  const { organizationId, projectId } = project;
  const entry = { organizationId, projectId, actor: toActor(caller) };
  await audit.writeAll(tx, [
    { ...entry, action: 'patients.enrolled', detail: { ...detail } },
    ...enrolled.map((patientId) => ({ ...entry, action: 'patient.enrolled' as const, patientId })),
  ]);
}

async function inviteAll(
  tx: Tx,
  { jobs, consentAppUrl }: Deps,
  { enrollment: { project }, people }: { enrollment: Enrollment; people: readonly Enrollee[] },
): Promise<void> {
  const sender = await findMailSender(tx, project.organizationId);
  if (!sender) return;
  const isAsking = (await maybeOne(tx, findAskingProjects([project.projectId]))) !== null;
  for (const { entry } of people) {
    const to = { email: entry.email, firstName: entry.firstName, language: entry.languagePreference };
    const { projectId } = project;
    await enqueueEnrollmentMail(tx, jobs, {
      notice: 'invited',
      isAsking,
      to,
      projectId,
      sender,
      consentAppUrl,
    });
  }
}
