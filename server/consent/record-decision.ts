import { createHash } from 'node:crypto';
import type { ConsentStatus, ConsentType } from '../../contract/consent.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../contract/ids.ts';
import type { Audit } from '../audit/append.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { forbidden, invalidInput } from '../kernel/refusal.ts';
import { maybeOne, type Db } from '../storage/db.ts';
import * as statements from './consent.sql.ts';

/** The longest a consent lasts, and how long one lasts that names no end. */
const YEAR_MS = 365 * 24 * 3600 * 1000;

export interface Decision {
  patientId: PatientId;
  projectId: ProjectId;
  consentType: ConsentType;
  consentStatus: ConsentStatus;
  expiresAt: Date | null;
}

interface Deps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

/**
 * A test patient's decision by API: the immutable record, the decision in force and the audit entry, in one
 * transaction. Refused when the patient is not enrolled or a real person, whose consent needs the page's evidence.
 */
export async function recordTestPatientDecision(
  { db, clock, audit }: Deps,
  decision: Decision,
): Promise<ConsentRecordId> {
  const now = clock.now();
  const latest = new Date(now.getTime() + YEAR_MS);
  if (decision.expiresAt !== null && decision.expiresAt > latest) {
    throw invalidInput([{ path: 'expirationTimestamp', message: 'must be at most one year ahead' }]);
  }
  return db.tx(async (tx) => {
    const patient = await maybeOne(tx, statements.enrolledPatient(decision.patientId, decision.projectId));
    if (!patient) throw forbidden('The patient is not enrolled in this project.');
    if (!patient.is_test_patient)
      throw forbidden('Only test patients consent by API; a person consents on the consent page.');
    const row: statements.ConsentRecordRow = {
      patient_id: decision.patientId,
      consent_record_id: newId(),
      organization_id: patient.organization_id,
      project_id: decision.projectId,
      consent_type: decision.consentType,
      consent_status: decision.consentStatus,
      decided_at: now,
      expires_at: decision.expiresAt ?? latest,
      consent_stats: { sessionLength: 0, interactions: [] },
      study_snapshot_id: studySnapshotId(decision.projectId, patient.project_name),
      consent_ui_flow: 'API',
      ui_hash: 'none',
    };
    await tx.query(statements.insertConsentRecord(row));
    await tx.query(statements.insertConsentRoute(row));
    await tx.query(statements.putConsent(row));
    await audit.write(tx, {
      organizationId: patient.organization_id,
      action: 'consent.recorded',
      actor: { kind: 'patient', id: decision.patientId },
      client: 'direct',
      projectId: decision.projectId,
      patientId: decision.patientId,
      consentRecordId: row.consent_record_id,
      detail: {
        consentType: row.consent_type,
        consentStatus: row.consent_status,
        expires: row.expires_at.toISOString(),
      },
    });
    return row.consent_record_id;
  });
}

/** Two consents to one project whose content was the same have the same snapshot. */
const studySnapshotId = (projectId: ProjectId, content: string): string =>
  createHash('sha256').update(`${projectId}\n${content}`).digest('hex').slice(0, 32);
