import type { z } from 'zod';
import type { Caller, OrganizationCaller } from '../../../contract/audience.ts';
import type { ConsentSummary } from '../../../contract/organization/consent-records.ts';
import type { ConsentStatus, ConsentType } from '../../../contract/account/consent.ts';
import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import type { Audit } from '../../platform/audit/append.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { one, type Db } from '../../platform/db/db.ts';
import { requireDecision } from './find-patient.ts';
import * as statements from './consent-summaries.sql.ts';
import { auditView } from './audit-view.ts';
import { formatEnd } from './format-end.ts';

interface Deps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

type ConsentSummaryDto = z.input<typeof ConsentSummary>;

export async function getConsentSummary(
  { db, clock, audit }: Deps,
  caller: Caller,
  patientId: PatientId,
): Promise<ConsentSummaryDto> {
  await requireDecision(db, caller, patientId);
  const { organizationId } = caller;
  const reach = { organizationId, projectIds: caller.kind === 'patient' ? null : caller.projectIds };
  const row = await one(db, statements.selectPatientSummary(patientId, reach, clock.now()));
  await auditView(audit, caller, {
    action: 'consent.record_viewed',
    patientId,
    detail: { view: 'summary' },
  });
  return toConsentSummaryDto(row, organizationId);
}

/** Lists the summaries of all participants in one statement, however many they are. */
export async function listConsentSummaries(
  { db, clock, audit }: Deps,
  caller: OrganizationCaller,
  { projectId, page }: { projectId: ProjectId; page: PageQuery },
): Promise<{ total: number; results: ConsentSummaryDto[] }> {
  const { organizationId } = caller;
  const [{ total }, rows] = await Promise.all([
    one(db, statements.countParticipants(organizationId, projectId)),
    db.query(statements.selectProjectSummaries(organizationId, projectId, { ...page, now: clock.now() })),
  ]);
  await auditView(audit, caller, {
    action: 'consent.record_viewed',
    projectId,
    detail: { view: 'summaries', ...page, patients: rows.length },
  });
  return { total, results: rows.map((row) => toConsentSummaryDto(row, organizationId)) };
}

interface DecisionRow {
  consent_type: ConsentType;
  project_id: ProjectId;
  consent_status: ConsentStatus;
  consent_record_id: string;
  decided_at: string;
  expires_at: string;
  is_in_force: boolean;
}

const toConsentSummaryDto = (
  row: statements.SummaryRow,
  organizationId: OrganizationId,
): ConsentSummaryDto => ({
  healthcareOrganizationId: organizationId,
  patientId: row.patient_id,
  consents: (JSON.parse(row.consents) as DecisionRow[]).map((decision) => ({
    consentType: decision.consent_type,
    studyId: decision.project_id,
    hasPatientConsented: decision.is_in_force,
    source: 'STUDY',
    consentRecordId: decision.consent_record_id,
    expirationTimestamp: formatEnd({
      consent_status: decision.consent_status,
      decided_at: new Date(decision.decided_at),
      expires_at: new Date(decision.expires_at),
    }),
  })),
});
