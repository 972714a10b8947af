import type { z } from 'zod';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { ConsentRecordId } from '../../../contract/brands.ts';
import type {
  listOrganizationConsents as endpoint,
  OrganizationConsent,
} from '../../../contract/organization/organization-consents.ts';
import type { Audit } from '../../platform/audit/append.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { invalidInput } from '../../platform/kernel/refusal.ts';
import { toScopesDto } from '../access/sensitivity-labels.ts';
import { findAskedClients } from '../grants/app-clients.ts';
import { auditView } from './audit-view.ts';
import { toPartsDto } from '../decisions/grant-dto.ts';
import { selectPatientOfRecord } from './consent-records.sql.ts';
import { classifyDecision } from './decision-kind.ts';
import * as statements from './organization-consents.sql.ts';
import { formatEnd } from './format-end.ts';

export interface ListDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

export type ListQuery = z.infer<(typeof endpoint)['query']>;
type Page = z.input<(typeof endpoint)['response']>;

/**
 * Lists the decisions that the caller may see. The look is an entry of the organization's log, and of the patient's where
 * the list is asked for one; a page that polls for newer ones and sees none leaves no entry.
 */
export async function listOrganizationConsents(
  { db, clock, audit }: ListDeps,
  caller: OrganizationCaller,
  { after, limit, client, ...filter }: ListQuery,
): Promise<Page> {
  const position = after === undefined ? null : await findPosition(db, caller, after);
  const clients = await findAskedClients(db, { organizationId: caller.organizationId, client });
  const query = {
    reach: caller,
    filter: { ...filter, ...clients },
    after: position,
    limit: limit + 1,
    now: clock.now(),
  };
  const rows = await db.query(statements.selectOrganizationConsents(query));
  const page = rows.slice(0, limit);
  if (page.length > 0)
    await auditView(audit, caller, {
      action: 'consent.record_viewed',
      ...(filter.projectId !== undefined && { projectId: filter.projectId }),
      ...(filter.patientId !== undefined && { patientId: filter.patientId }),
      detail: { view: 'organization', records: page.length },
    });
  return {
    results: page.map(toOrganizationConsentDto),
    next: rows.length > limit ? (page.at(-1)?.consent_record_id ?? null) : null,
  };
}

/** A record that the caller may not see is answered as one that does not exist. */
export async function findPosition(
  db: Db,
  caller: OrganizationCaller,
  id: ConsentRecordId,
): Promise<statements.ConsentPosition> {
  const route = await maybeOne(db, selectPatientOfRecord(id));
  const position =
    route && (await maybeOne(db, statements.selectConsentPosition(route.patient_id, id, caller)));
  if (!position) throw invalidInput([{ path: 'after', message: 'must be `next` of a page of this list' }]);
  return position;
}

export const toOrganizationConsentDto = (
  row: statements.OrganizationConsentRow,
): z.input<typeof OrganizationConsent> => ({
  id: row.consent_record_id,
  timestamp: row.decided_at.toISOString(),
  patient: {
    id: row.patient_id,
    firstName: row.first_name,
    lastName: row.last_name,
    isDeleted: row.is_deleted,
  },
  project: { id: row.project_id, name: row.project_name },
  consentType: row.consent_type,
  consentStatus: row.consent_status,
  decision: classifyDecision(row),
  state: row.state,
  expirationTimestamp: formatEnd(row),
  ...toScopesDto({ resourceScopes: row.resource_scopes, sensitivityScopes: row.sensitivity_scopes }),
  parts: toPartsDto(row.parts),
  clientId: row.client_id,
  clientName: row.client_name,
  language: row.language,
  consentUIFlow: row.consent_ui_flow,
  uiHash: row.ui_hash,
  studySnapshotId: row.study_snapshot_id,
  version: row.version,
  screenshots: row.screenshots,
});
