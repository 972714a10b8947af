import type { z } from 'zod';
import type { listMyReceipts, MyConsent } from '../../../contract/account/my-consents.ts';
import { toDataScopes, toScopesDto } from '../../consent/access/sensitivity-labels.ts';
import type { MyConsentRow, MyReceiptRow } from './my-consents.sql.ts';

interface AppRow {
  client_id: string;
  client_name: string | null;
  created_at: string;
  connected: boolean;
  last_read_at: string | null;
}

export const toMyConsentDto = (row: MyConsentRow): MyConsent => ({
  organization: { name: row.organization_name },
  project: { id: row.project_id, name: row.project_name },
  consentRecordId: row.consent_record_id,
  status: row.status,
  since: row.decided_at.toISOString(),
  until: row.expires_at.toISOString(),
  ...toScopesDto(toDataScopes(row.resource_scopes, row.sensitivity_scopes)),
  apps: (JSON.parse(row.apps) as AppRow[]).map((app) => ({
    name: app.client_name,
    // A client that is named by its document is an address; the others are ids that we chose.
    verifiedHost: URL.parse(app.client_id)?.hostname ?? null,
    since: new Date(app.created_at).toISOString(),
    lastReadAt: app.last_read_at && new Date(app.last_read_at).toISOString(),
    connected: app.connected,
  })),
});

type MyReceiptDto = z.input<(typeof listMyReceipts)['response']>['receipts'][number];

export const toMyReceiptDto = (row: MyReceiptRow): MyReceiptDto => ({
  consentRecordId: row.consent_record_id,
  decidedAt: row.decided_at.toISOString(),
  consentStatus: row.consent_status,
  until: row.expires_at.toISOString(),
  ...toScopesDto(toDataScopes(row.resource_scopes, row.sensitivity_scopes)),
  organization: { name: row.organization_name },
  project: { id: row.project_id, name: row.project_name },
  clientName: row.client_name,
  screenshots: row.screenshots,
});
