import { createHash } from 'node:crypto';
import type { ConsentStatus, ConsentType } from '../../contract/consent.ts';
import type { ConsentRecordId, OrganizationId, PatientId, ProjectId } from '../../contract/ids.ts';
import type { Audit } from '../audit/append.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { Tx } from '../storage/db.ts';
import * as statements from './consent.sql.ts';

/** Ends what rests on a consent; runs in the transaction of its withdrawal. */
export type EndGrants = (
  tx: Tx,
  ended: { patientId: PatientId; projectId: ProjectId; now: Date },
) => Promise<void>;

export interface DecisionDeps {
  clock: Clock;
  audit: Audit;
  endGrants: EndGrants;
}

export interface Decision {
  patientId: PatientId;
  projectId: ProjectId;
  consentType: ConsentType;
  consentStatus: ConsentStatus;
  /** null: a year from now, the longest there is. */
  expiresAt: Date | null;
  /** What the patient saw: the flow, the hash of its page, and how they went through it. */
  uiFlow: string;
  uiHash: string;
  stats: { sessionLength: number; interactions: unknown[] };
  /** The program that the decision was made with or for. */
  client: string;
}

export interface WrittenDecision {
  consentRecordId: ConsentRecordId;
  organizationId: OrganizationId;
  expiresAt: Date;
}

/** The longest a consent lasts, and how long one lasts that names no end. */
const YEAR_MS = 365 * 24 * 3600 * 1000;

export const latestEnd = (now: Date): Date => new Date(now.getTime() + YEAR_MS);

/** The immutable record, the decision in force, what ends with it, and the audit entry: in the caller's transaction. */
export async function writeDecision(
  tx: Tx,
  { clock, audit, endGrants }: DecisionDeps,
  { decision, patient }: { decision: Decision; patient: statements.EnrolledPatientRow },
): Promise<WrittenDecision> {
  const { patientId, projectId } = decision;
  const now = clock.now();
  const row = recordOf(decision, patient, now);
  // First of all: its row lock orders decisions of one patient, so a withdrawal sees every grant decided before it.
  await tx.query(statements.insertDecision(row));
  if (row.consent_status === 'OPTED_OUT' && row.consent_type === 'PATIENT_DIRECTED_DATA_EXCHANGE')
    await endGrants(tx, { patientId, projectId, now });
  await audit.write(tx, {
    organizationId: row.organization_id,
    action: 'consent.recorded',
    actor: { kind: 'patient', id: patientId },
    client: decision.client,
    projectId,
    patientId,
    consentRecordId: row.consent_record_id,
    detail: {
      consentType: row.consent_type,
      consentStatus: row.consent_status,
      expires: row.expires_at.toISOString(),
    },
  });
  return {
    consentRecordId: row.consent_record_id,
    organizationId: row.organization_id,
    expiresAt: row.expires_at,
  };
}

const recordOf = (
  decision: Decision,
  patient: statements.EnrolledPatientRow,
  now: Date,
): statements.ConsentRecordRow => ({
  patient_id: decision.patientId,
  consent_record_id: newId(),
  organization_id: patient.organization_id,
  project_id: decision.projectId,
  consent_type: decision.consentType,
  consent_status: decision.consentStatus,
  decided_at: now,
  expires_at: decision.expiresAt ?? latestEnd(now),
  consent_stats: decision.stats,
  study_snapshot_id: studySnapshotId(decision.projectId, [patient.project_name, patient.project_purpose]),
  consent_ui_flow: decision.uiFlow,
  ui_hash: decision.uiHash,
});

/** Two consents to one project whose content was the same have the same snapshot. */
const studySnapshotId = (projectId: ProjectId, content: readonly (string | null)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([projectId, ...content]))
    .digest('hex')
    .slice(0, 32);
