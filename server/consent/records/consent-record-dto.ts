import type { z } from 'zod';
import type { ConsentRecord } from '../../../contract/organization/consent-records.ts';
import { toScopesDto } from '../access/sensitivity-labels.ts';
import type { StoredRecordRow } from './records.sql.ts';

type ConsentRecordDto = z.input<typeof ConsentRecord>;

export const toConsentRecordDto = (row: StoredRecordRow): ConsentRecordDto => ({
  healthcareOrganizationId: row.organization_id,
  id: row.consent_record_id,
  timestamp: row.decided_at.toISOString(),
  patientId: row.patient_id,
  studyId: row.project_id,
  consentType: row.consent_type,
  consentStatus: row.consent_status,
  expirationTimestamp: row.expires_at.toISOString(),
  consentStats: JSON.parse(row.consent_stats) as ConsentRecordDto['consentStats'],
  studySnapshotId: row.study_snapshot_id,
  consentConfigSnapshotId: row.consent_config_snapshot_id,
  consentUIFlow: row.consent_ui_flow,
  uiHash: row.ui_hash,
  ...toScopesDto({
    resourceScopes: row.consent_data_resource_scopes,
    sensitivityScopes: row.consent_data_sensitivity_scopes,
  }),
  language: row.language,
  clientId: row.client_id,
  clientName: row.client_name,
  representative:
    row.representative === null
      ? null
      : (JSON.parse(row.representative) as ConsentRecordDto['representative']),
});
