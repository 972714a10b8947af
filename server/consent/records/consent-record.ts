import type { z } from 'zod';
import type { Caller } from '../../../contract/audience.ts';
import type { ConsentRecordId } from '../../../contract/brands.ts';
import type { ClientGrant } from '../../../contract/data-categories.ts';
import type { ConsentRecord, ListedScreenshot } from '../../../contract/organization/consent-records.ts';
import { forbidden, type Refusal } from '../../platform/kernel/refusal.ts';
import { maybeOne, type Queryable } from '../../platform/db/db.ts';
import { toDataScopes, toScopesDto } from '../access/sensitivity-labels.ts';
import { toGrantDto, toPartsDto } from '../decisions/grant-dto.ts';
import { NOBODY, requireAccount } from './find-patient.ts';
import {
  selectConsentRecords,
  selectPatientOfRecord,
  type ListedScreenshotRow,
  type StoredRecordRow,
} from './consent-records.sql.ts';
import { formatEnd } from './format-end.ts';

/**
 * Finds a record for its patient, whatever the organization, or for its organization, even after the consent was withdrawn or
 * has expired: the record is the evidence of what was permitted then. Nobody else learns by the answer which ids exist.
 */
export async function findConsentRecord(
  db: Queryable,
  caller: Caller,
  consentRecordId: ConsentRecordId,
): Promise<StoredRecordRow> {
  const route = await maybeOne(db, selectPatientOfRecord(consentRecordId));
  const patientId = route?.patient_id ?? NOBODY;
  const record = await maybeOne(db, selectConsentRecords(patientId, [consentRecordId]));
  if (!record || !isWithinReach(caller, record)) throw createForeignRecordRefusal(caller);
  if (caller.kind === 'patient') await requireAccount(db, caller);
  return record;
}

const isWithinReach = (caller: Caller, record: StoredRecordRow): boolean =>
  caller.kind === 'patient'
    ? record.patient_id === caller.patientId
    : record.organization_id === caller.organizationId &&
      (caller.projectIds === null || caller.projectIds.includes(record.project_id));

/** Creates the one refusal for a record of somebody else and for none at all: only the caller makes a difference. */
function createForeignRecordRefusal(caller: Caller): Refusal {
  if (caller.kind === 'patient')
    return forbidden('This consent record does not exist, or is not yours.', 'wrong_patient');
  return caller.projectIds === null
    ? forbidden('This consent record does not exist, or is not of your organization.', 'wrong_organization')
    : forbidden('This consent record does not exist, or is not of your projects.', 'wrong_project');
}

type ConsentRecordDto = z.input<typeof ConsentRecord>;

export const toConsentRecordDto = (row: StoredRecordRow): ConsentRecordDto => ({
  healthcareOrganizationId: row.organization_id,
  id: row.consent_record_id,
  timestamp: row.decided_at.toISOString(),
  patientId: row.patient_id,
  studyId: row.project_id,
  consentType: row.consent_type,
  consentStatus: row.consent_status,
  expirationTimestamp: formatEnd(row),
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
  grant: toRecordGrantDto(row),
  parts: toPartsDto(row.parts),
});

type GrantColumns = Pick<
  StoredRecordRow,
  'grant_resource_scopes' | 'grant_sensitivity_scopes' | 'grant_expires_at'
>;

/** Formats what the app of a decision gets; null where it is all that the consent covers, or no app asked. */
export const toRecordGrantDto = (row: GrantColumns): ClientGrant | null =>
  row.grant_expires_at &&
  toGrantDto({
    scopes: toDataScopes(row.grant_resource_scopes, row.grant_sensitivity_scopes),
    expiresAt: row.grant_expires_at,
  });

export const toListedScreenshotDto = (row: ListedScreenshotRow): z.input<typeof ListedScreenshot> => ({
  id: row.screenshot_id,
  contentType: row.content_type,
  screen: row.screen,
  takenAt: row.taken_at.toISOString(),
});
