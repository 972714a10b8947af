import { Readable } from 'node:stream';
import * as contract from '../../../contract/organization/audit-events.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import type { EntryFilter } from '../../platform/audit/entries.sql.ts';
import { exportEntries } from '../../platform/audit/export-slice.ts';
import type { SealDeps } from '../../platform/audit/seal.ts';
import { parse, serve, serveRaw, type RawCall, type Routes } from '../../platform/http/serve.ts';
import { listAuditEvents, listCheckpoints, listRecordReads } from './audit-events.ts';
import { exportCsv } from './export-csv.ts';

export interface AuditEventsDeps extends SealDeps {
  audit: Audit;
}

/** The audit log of an organization: its lists, its export, its checkpoints. */
export function registerAuditEventRoutes(routes: Routes, deps: AuditEventsDeps): void {
  serve(routes, contract.listAuditEvents, ({ params, query: { limit, before, ...filter } }) =>
    listAuditEvents(deps.db, { ...filter, organizationId: params.orgId }, { limit, before }),
  );
  serve(routes, contract.listAccessLog, async ({ params, caller, query: { limit, before, ...filter } }) => {
    const { orgId: organizationId } = params;
    const page = await listRecordReads(deps.db, { ...filter, organizationId }, { limit, before });
    const { patientId } = filter;
    // That patient is notified of the look at their reads, as of the look at their own log.
    if (patientId !== undefined && page.results.length > 0)
      await deps.audit.append({
        organizationId,
        action: 'access_log.viewed',
        actor: toActor(caller),
        patientId,
      });
    return page;
  });
  serve(routes, contract.listAuditCheckpoints, ({ params: { orgId }, query }) =>
    listCheckpoints(deps.db, orgId, query),
  );
  serveRaw(routes, contract.exportAuditEvents, (call) => sendExport(deps, call));
}

/** Streams an export, whose entry of the log is durable before its first byte. A HEAD request exports nothing. */
async function sendExport(
  deps: AuditEventsDeps,
  { request, reply, params, caller }: RawCall<typeof contract.exportAuditEvents>,
) {
  const { format, ...filter } = parse(contract.exportAuditEvents.query, request.query, '');
  const organizationId = params.orgId;
  const entries: EntryFilter = { ...filter, organizationId };
  reply
    .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
    .header('content-disposition', `attachment; filename="audit-log.${format}"`);
  if (request.method === 'HEAD') return reply.send('');
  const until = filter.until ?? deps.clock.now().toISOString();
  await deps.audit.append({
    organizationId,
    action: 'audit.exported',
    actor: toActor(caller),
    ...(filter.projectId !== undefined && { projectId: filter.projectId }),
    ...(filter.patientId !== undefined && { patientId: filter.patientId }),
    detail: { format, ...filter },
  });
  return reply.send(
    Readable.from(
      format === 'csv' ? exportCsv(deps.db, { ...entries, until }) : exportEntries(deps, entries),
    ),
  );
}
