import type { z } from 'zod';
import type { OrganizationCaller, OrganizationReach } from '../../../contract/audience.ts';
import type { BatchId, PatientId } from '../../../contract/brands.ts';
import type * as contract from '../../../contract/organization/patients.ts';
import {
  countSharedUploads,
  selectSharedUploads,
  selectUploader,
} from '../../clinical/ingest/batches/uploads.sql.ts';
import { toPatientSourceDto } from '../../clinical/sources/source-dto.ts';
import { selectSources } from '../../clinical/sources/sources.sql.ts';
import { selectPatientSources } from '../../clinical/sources/syncs.sql.ts';
import { toScopesDto } from '../../consent/access/sensitivity-labels.ts';
import { READ_CONSENT_TYPES } from '../../consent/access/permits-reading.sql.ts';
import {
  getCurrentScopes,
  listCurrentParts,
  toStoredConsent,
} from '../../consent/decisions/consent-parts.ts';
import { toGrantDto } from '../../consent/decisions/grant-dto.ts';
import { selectPatientDecisions } from '../../consent/records/consent-summaries.sql.ts';
import { selectMemberNames } from '../../identity/members/members.sql.ts';
import { findProjectNames } from '../../identity/organizations/projects.sql.ts';
import { createNotSharedRefusal } from '../../identity/patients/not-shared.ts';
import {
  selectPatientEnrollments,
  selectPatientFacts,
  type EnrollmentRow,
} from '../../identity/patients/patient-list.sql.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import { selectPatientEntries } from '../../platform/audit/entries.sql.ts';
import { one, type Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { formatEnd } from '../../consent/records/format-end.ts';

export interface PatientDetailsDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

type Details = z.input<(typeof contract.getPatient)['response']>;

const TIMELINE_LENGTH = 100;

/**
 * Returns what an organization sees of one patient. The look is an entry of the patient's own log, durable before the answer.
 * Throws `no_consent` for a patient who never took part in a project that the caller may see, whoever that is.
 */
export async function getPatientDetails(
  { db, clock, audit }: PatientDetailsDeps,
  caller: OrganizationCaller,
  patientId: PatientId,
): Promise<Details> {
  const now = clock.now();
  const [enrollments, consents, facts] = await Promise.all([
    db.query(selectPatientEnrollments(patientId, caller, now)),
    findDecisions(db, caller, { patientId, now }),
    one(db, selectPatientFacts(patientId, caller)),
  ]);
  if (enrollments.length === 0) throw createNotSharedRefusal();
  const isSharing = consents.some((row) => row.is_in_force && READ_CONSENT_TYPES.has(row.consent_type));
  const [uploads, sources, timeline] = await Promise.all([
    isSharing ? findUploads(db, caller, { patientId, now }) : null,
    findSources(db, caller, { patientId, now }),
    findTimeline(db, caller, patientId),
  ]);
  const { organizationId } = caller;
  await audit.append({ organizationId, action: 'patient.viewed', actor: toActor(caller), patientId });
  const named = enrollments.find((row) => row.email !== null);
  return {
    patientId,
    email: named?.email ?? null,
    firstName: named?.first_name ?? null,
    lastName: named?.last_name ?? null,
    isTestPatient: facts.is_test_patient,
    phones: facts.phones,
    enrollments: enrollments.map(toEnrollmentDto),
    consents: consents.map(toConsentDto),
    uploads,
    sources,
    timeline,
  };
}

type DecisionRow = Awaited<ReturnType<typeof findDecisions>>[number];

const findDecisions = (
  db: Db,
  reach: OrganizationReach,
  { patientId, now }: { patientId: PatientId; now: Date },
) => db.query(selectPatientDecisions(patientId, reach, now));

const toConsentDto = (row: DecisionRow): Details['consents'][number] => ({
  project: { id: row.project_id, name: row.project_name },
  consentType: row.consent_type,
  consentStatus: row.consent_status,
  consentRecordId: row.consent_record_id,
  decidedAt: row.decided_at.toISOString(),
  expirationTimestamp: formatEnd(row),
  isInForce: row.is_in_force,
  ...toScopesDto(getCurrentScopes(toStoredConsent(row), row.latest_now)),
  // As the scopes are: of what goes on.
  parts: row.parts === null ? null : listCurrentParts(toStoredConsent(row), row.latest_now).map(toGrantDto),
});

const toEnrollmentDto = (row: EnrollmentRow & { project_name: string }): Details['enrollments'][number] => ({
  project: { id: row.project_id, name: row.project_name },
  externalId: row.external_id,
  state: row.state,
  since: row.since.toISOString(),
  enrolledAt: row.created_at.toISOString(),
  invitedAt: toTime(row.invited_at),
  lastInvitedAt: toTime(row.last_invited_at),
  openedAt: toTime(row.opened_at),
  accountAt: toTime(row.account_at),
  decidedAt: toTime(row.decided_at),
});

const toTime = (time: Date | null): string | null => time?.toISOString() ?? null;

const MAX_UPLOADS = 100;

/** How many uploads a patient shares is a part of what they share: those that brought what is withheld are not counted. */
async function findUploads(
  db: Db,
  reach: OrganizationReach,
  { patientId, now }: { patientId: PatientId; now: Date },
): Promise<Details['uploads']> {
  const [rows, newest] = await Promise.all([
    db.query(countSharedUploads(patientId, reach, now)),
    db.query(selectSharedUploads(patientId, { reach, now, limit: MAX_UPLOADS })),
  ]);
  const times = rows.map((row) => row.last_received_at.getTime());
  return {
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.uploads])),
    rejectedDocuments: rows.reduce((sum, row) => sum + row.rejected, 0),
    lastReceivedAt: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
    newest: newest.map((row) => ({
      batchId: row.batch_id,
      status: row.status,
      receivedAt: row.received_at.toISOString(),
      rejectedDocuments: row.rejected,
    })),
  };
}

/** Finds whose upload it is. That is no look at the patient: whoever asks was given the id. */
export async function findSharedUpload(
  { db, clock }: PatientDetailsDeps,
  reach: OrganizationReach,
  batchId: BatchId,
): Promise<{ batchId: BatchId; patientId: PatientId }> {
  const now = clock.now();
  for (const { patient_id: patientId } of await db.query(selectUploader(batchId))) {
    const shared = await db.query(selectSharedUploads(patientId, { reach, now, limit: 1, batchId }));
    if (shared.length > 0) return { batchId, patientId };
  }
  throw notFound('The upload');
}

/** An organization connects few servers; whoever is limited to projects sees those that serve one of these. */
const MAX_LISTED_SOURCES = 1000;

async function findSources(
  db: Db,
  reach: OrganizationReach,
  { patientId, now }: { patientId: PatientId; now: Date },
): Promise<Details['sources']> {
  const { organizationId } = reach;
  const [rows, visible] = await Promise.all([
    db.query(selectPatientSources(patientId, { organizationId, now })),
    reach.projectIds === null
      ? null
      : db.query(selectSources(reach, { limit: MAX_LISTED_SOURCES, offset: 0 })),
  ]);
  return rows
    .filter((row) => visible === null || visible.some((source) => source.source_id === row.source_id))
    .map(toPatientSourceDto);
}

async function findTimeline(
  db: Db,
  reach: OrganizationReach,
  patientId: PatientId,
): Promise<Details['timeline']> {
  const { organizationId, projectIds } = reach;
  const rows = await db.query(
    selectPatientEntries({ patientId, organizationId, projectIds }, TIMELINE_LENGTH),
  );
  const actors = [...new Set(rows.flatMap((row) => (row.actor_kind === 'member' ? [row.actor_id] : [])))];
  const [members, projects] = await Promise.all([
    actors.length === 0 ? [] : db.query(selectMemberNames(organizationId, actors)),
    db.query(findProjectNames(reach)),
  ]);
  const memberNames = new Map<string, string>(members.map((row) => [row.member_id, row.name]));
  const projectsById = new Map<string, NonNullable<Details['timeline'][number]['project']>>(
    projects.map((row) => [row.project_id, { id: row.project_id, name: row.name }]),
  );
  return rows.map((row) => ({
    id: row.entry_id,
    at: row.at.toISOString(),
    action: row.action,
    outcome: row.outcome,
    actor: { kind: row.actor_kind, id: row.actor_id, name: memberNames.get(row.actor_id) ?? null },
    client: row.client,
    project: projectsById.get(row.project_id ?? '') ?? null,
    consentRecordId: row.consent_record_id,
  }));
}
