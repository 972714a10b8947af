import type { PatientSource } from '../../../contract/account/patient-sources.ts';
import type { SourceSync } from '../../../contract/organization/source-syncs.ts';
import type { Source, SourceMatching } from '../../../contract/organization/sources.ts';
import type { z } from 'zod';
import { findMessage } from './source-fault.ts';
import type { SourceRow } from './sources.sql.ts';
import type { ListedSyncRow, PatientSourceRow } from './syncs.sql.ts';

/** Maps a source to the wire, without its secrets. */
export const toSourceDto = (row: SourceRow, baseUrl: string): Source => ({
  id: row.source_id,
  organizationId: row.organization_id,
  name: row.name,
  baseUrl: row.base_url,
  status: row.status,
  authentication:
    row.authentication === 'smart_backend_services'
      ? {
          type: row.authentication,
          clientId: row.client_id ?? '',
          tokenEndpoint: row.token_endpoint,
          scope: row.scope,
          jwksUrl: `${baseUrl}/v1/sources/${row.source_id}/jwks.json`,
        }
      : { type: row.authentication },
  matching: JSON.parse(row.matching) as SourceMatching,
  projectIds: row.project_ids,
  servesTestPatients: row.serves_test_patients,
  createdAt: row.created_at.toISOString(),
  changedAt: row.changed_at.toISOString(),
});

export const toSyncDto = (row: ListedSyncRow): z.input<typeof SourceSync> => ({
  patientId: row.patient_id,
  state: row.state,
  code: row.code,
  message: findMessage(row.code),
  lastSynchronizedAt: row.synchronized_at?.toISOString() ?? null,
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  requestedAt: row.requested_at.toISOString(),
  failures: row.failures,
  pages: row.pages,
  resources: row.resources,
  bytes: row.bytes,
  skippedTypes: row.skipped_types ?? [],
  batchId: row.batch_id,
});

export const toPatientSourceDto = (row: PatientSourceRow): PatientSource => ({
  sourceId: row.source_id,
  name: row.name,
  organization: { id: row.organization_id, name: row.organization_name },
  state: row.state,
  code: row.code,
  message: findMessage(row.code),
  lastSynchronizedAt: row.synchronized_at?.toISOString() ?? null,
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
});
