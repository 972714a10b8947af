import { createHash } from 'node:crypto';
import type { ConsentStatus, ConsentType } from '../../../contract/account/consent.ts';
import type { ConsentRecordId, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { Audit } from '../../platform/audit/append.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { maybeOne, type Tx } from '../../platform/db/db.ts';
import * as statements from './consent.sql.ts';
import {
  toDataScopes,
  ALL_DATA_SCOPES,
  toScopesDto,
  toWithheldMask,
  type DataScopes,
} from '../access/sensitivity-labels.ts';
import { READ_CONSENT_TYPES } from '../access/permits-reading.sql.ts';
import { emitConsentEvents } from './consent-events.ts';
import type { Emit } from './emit.ts';

/** Ends what rests on a consent; runs in the transaction of its withdrawal. */
export type RevokeGrants = (
  tx: Tx,
  revocation: { patientId: PatientId; projectId: ProjectId; now: Date },
) => Promise<void>;

/** Sets off the fetching of what a consent lets be fetched; runs in its transaction. */
export type FetchRecords = (
  tx: Tx,
  permitted: { patientId: PatientId; projectId: ProjectId },
) => Promise<void>;

export interface DecisionDeps {
  clock: Clock;
  audit: Audit;
  revokeGrants: RevokeGrants;
  emit: Emit;
  fetchRecords?: FetchRecords;
  /** Tells a person of their decision, by mail; runs in its transaction. */
  mailReceipt?: (
    tx: Tx,
    decision: { patientId: PatientId; consentRecordId: ConsentRecordId; decidedAt: Date; language: string },
  ) => Promise<void>;
}

export interface Decision {
  patientId: PatientId;
  projectId: ProjectId;
  consentType: ConsentType;
  consentStatus: ConsentStatus;
  /** null of a withdrawal: it takes back what the consent covered. */
  scopes: DataScopes | null;
  /** null: a year from now, the longest there is. */
  expiresAt: Date | null;
  /** What the patient saw: the flow, the hash of its page, and how they went through it. */
  uiFlow: string;
  uiHash: string;
  stats: { sessionLength: number; interactions: unknown[] };
  /** The program that the decision was made with or for. */
  client: string;
  clientName?: string | null;
  language?: string;
  representative?: { name: string; authority: string } | null;
  /** The screens it was made on, checked to be images. */
  screenshots?: readonly statements.ScreenshotRow[];
}

export interface WrittenDecision {
  consentRecordId: ConsentRecordId;
  organizationId: OrganizationId;
  expiresAt: Date;
}

/** The longest a consent lasts, and how long one lasts that names no end. */
const MAX_CONSENT_MS = 365 * 24 * 3600 * 1000;

export const getMaxExpiry = (now: Date): Date => new Date(now.getTime() + MAX_CONSENT_MS);

/** The flow of a decision that only takes away. */
export const NARROWING_FLOW = 'MY_DATA_NARROWING';

/** The immutable record, the decision in force, what ends with it, and the audit entry: in the caller's transaction. */
export async function writeDecision(
  tx: Tx,
  { clock, audit, revokeGrants, emit, fetchRecords, mailReceipt }: DecisionDeps,
  { decision, patient }: { decision: Decision; patient: statements.EnrolledPatientRow },
): Promise<WrittenDecision> {
  const { patientId, projectId, screenshots = [] } = decision;
  const now = clock.now();
  const previous = await maybeOne(tx, statements.lockConsent(patientId, projectId, decision.consentType));
  const scopes = decision.scopes ?? getCoveredScopes(previous);
  const row = toConsentRecordRow({ ...decision, scopes }, patient, now);
  const { consent_record_id: consentRecordId } = row;
  // Its row lock orders decisions of one patient, so a withdrawal sees every grant decided before it.
  await tx.query(statements.insertDecision(row, toWithheldMask(scopes)));
  if (screenshots.length > 0)
    await tx.query(statements.insertScreenshots({ patientId, consentRecordId }, screenshots));
  if (row.consent_status === 'OPTED_OUT' && row.consent_type === 'PATIENT_DIRECTED_DATA_EXCHANGE')
    await revokeGrants(tx, { patientId, projectId, now });
  // Who shares less from now on asks for nothing new.
  if (
    row.consent_status === 'OPTED_IN' &&
    READ_CONSENT_TYPES.has(row.consent_type) &&
    decision.uiFlow !== NARROWING_FLOW
  )
    await fetchRecords?.(tx, { patientId, projectId });
  await emitConsentEvents(tx, emit, { row, scopes, previous, now });
  if (decision.uiFlow !== 'API' && !patient.is_test_patient)
    await mailReceipt?.(tx, { patientId, consentRecordId, decidedAt: now, language: row.language ?? 'en' });
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
      ...toScopesDto(scopes),
    },
  });
  return {
    consentRecordId: row.consent_record_id,
    organizationId: row.organization_id,
    expiresAt: row.expires_at,
  };
}

const getCoveredScopes = (consent: statements.ConsentInForceRow | null): DataScopes =>
  consent ? toDataScopes(consent.resource_scopes, consent.sensitivity_scopes) : ALL_DATA_SCOPES;

const toConsentRecordRow = (
  decision: Decision & { scopes: DataScopes },
  patient: statements.EnrolledPatientRow,
  now: Date,
): statements.ConsentRecordRow => ({
  patient_id: decision.patientId,
  consent_record_id: generateId(),
  organization_id: patient.organization_id,
  project_id: decision.projectId,
  consent_type: decision.consentType,
  consent_status: decision.consentStatus,
  decided_at: now,
  expires_at: decision.expiresAt ?? getMaxExpiry(now),
  consent_stats: decision.stats,
  study_snapshot_id: resolveSnapshotId(decision.projectId, patient),
  consent_ui_flow: decision.uiFlow,
  ui_hash: decision.uiHash,
  consent_data_resource_scopes: decision.scopes.resourceScopes,
  consent_data_sensitivity_scopes: decision.scopes.sensitivityScopes,
  language: decision.language ?? null,
  client_id: decision.client === 'direct' ? null : decision.client,
  client_name: decision.clientName ?? null,
  representative: decision.representative ?? null,
});

/** The version of a project that patients are told now; of one that has no words for them, its name and purpose. */
export const resolveSnapshotId = (
  projectId: ProjectId,
  project: Pick<statements.EnrolledPatientRow, 'study_snapshot_id' | 'project_name' | 'project_purpose'>,
): string =>
  project.study_snapshot_id ?? hashSnapshot(projectId, [project.project_name, project.project_purpose]);

/** Two consents to one project whose content was the same have the same snapshot. */
const hashSnapshot = (projectId: ProjectId, content: readonly (string | null)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([projectId, ...content]))
    .digest('hex')
    .slice(0, 32);
