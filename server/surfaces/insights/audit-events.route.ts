import { Readable } from 'node:stream';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { PatientId } from '../../../contract/brands.ts';
import * as contract from '../../../contract/organization/audit-events.ts';
import { findAskedClients } from '../../consent/grants/app-clients.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import type { EntryFilter } from '../../platform/audit/entries.sql.ts';
import { describeFilter, exportEntries } from '../../platform/audit/export-slice.ts';
import type { SealDeps } from '../../platform/audit/seal.ts';
import { serve, serveRaw, type RawCall, type Routes, parseQuery } from '../../platform/http/serve.ts';
import { findFilteredPatient, listAuditEvents, listCheckpoints, listRecordReads } from './audit-events.ts';
import { exportCsv } from './export-csv.ts';

export interface AuditEventsDeps extends SealDeps {
  audit: Audit;
}

/** The audit log of an organization: its lists, its export, its checkpoints. */
export function registerAuditEventRoutes(routes: Routes, deps: AuditEventsDeps): void {
  serve(routes, contract.listAuditEvents, async ({ params, caller, query: { limit, before, ...filter } }) => {
    const organizationId = params.orgId;
    const clients = await findAskedClients(deps.db, { organizationId, client: filter.client });
    const entries = { ...filter, ...clients, organizationId };
    const page = await listAuditEvents(deps.db, entries, { limit, before });
    if (page.results.length > 0) await recordLook(deps, caller, await findFilteredPatient(deps.db, entries));
    return page;
  });
  serve(routes, contract.listAccessLog, async ({ params, caller, query }) => {
    const { limit, before, appId, client, ...filter } = query;
    const { orgId: organizationId } = params;
    const clients = await findAskedClients(deps.db, { organizationId, client, appId });
    const page = await listRecordReads(deps.db, { ...filter, ...clients, organizationId }, { limit, before });
    if (page.results.length > 0) await recordLook(deps, caller, filter.patientId ?? null);
    return page;
  });
  serve(routes, contract.listAuditCheckpoints, ({ params: { orgId }, query }) =>
    listCheckpoints(deps.db, orgId, query),
  );
  serveRaw(routes, contract.exportAuditEvents, (call) => sendExport(deps, call));
}

/** That patient is notified of the look at what concerns them, as of the look at their own log; durable before the answer. */
async function recordLook(
  { audit }: AuditEventsDeps,
  caller: OrganizationCaller,
  patientId: PatientId | null,
): Promise<void> {
  const { organizationId } = caller;
  if (patientId !== null)
    await audit.append({ organizationId, action: 'access_log.viewed', actor: toActor(caller), patientId });
}

/** Streams an export, whose entry of the log is durable before its first byte. A HEAD request exports nothing. */
async function sendExport(
  deps: AuditEventsDeps,
  { request, reply, params, caller }: RawCall<typeof contract.exportAuditEvents>,
) {
  const { format, ...filter } = parseQuery(contract.exportAuditEvents.query, request.query);
  const organizationId = params.orgId;
  const clients = await findAskedClients(deps.db, { organizationId, client: filter.client });
  const entries: EntryFilter = { ...filter, ...clients, organizationId };
  reply
    .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
    .header('content-disposition', `attachment; filename="audit-log.${format}"`);
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const until = filter.until ?? deps.clock.now().toISOString();
  const patientId = await findFilteredPatient(deps.db, entries);
  await deps.audit.append({
    organizationId,
    action: 'audit.exported',
    actor: toActor(caller),
    ...(filter.projectId !== undefined && { projectId: filter.projectId }),
    ...(patientId !== null && { patientId }),
    detail: { format, ...describeFilter(filter) },
  });
  return reply.send(
    Readable.from(
      format === 'csv' ? exportCsv(deps.db, { ...entries, until }) : exportEntries(deps, entries),
    ),
  );
}
