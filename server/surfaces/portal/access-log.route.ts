import { Readable } from 'node:stream';
import * as contract from '../../../contract/account/access-log.ts';
import type { PatientId } from '../../../contract/brands.ts';
import { requireSession, type ResolveSession } from '../../platform/http/require-session.ts';
import { serveRaw, serve, type Routes } from '../../platform/http/serve.ts';
import {
  findAuditEvents,
  getMyAccessLog,
  getPatientAccessLog,
  getTokenAccessLog,
  type AccessLogDeps,
} from './access-log.ts';
import { exportSlice } from '../../platform/audit/export-slice.ts';
import type { SealDeps } from '../../platform/audit/seal.ts';

interface Deps extends AccessLogDeps, SealDeps {
  resolveSession: ResolveSession<{ patientId: PatientId }>;
}

/** The audit log, as organizations and patients see it. */
export function registerAccessLogRoutes(routes: Routes, deps: Deps): void {
  serve(routes, contract.getAccessLog, ({ caller, params: { patientId }, query }) =>
    caller.kind === 'patient'
      ? getTokenAccessLog(deps, caller.patientId, query)
      : getPatientAccessLog(deps, { caller, patientId }, query),
  );
  serve(routes, contract.getMyAccessLog, async ({ browserContext, query }) => {
    const { patientId } = await requireSession(deps.resolveSession, browserContext);
    return getMyAccessLog(deps, patientId, query);
  });
  serveRaw(routes, contract.getMyAuditProof, async ({ browserContext, reply }) => {
    const { patientId } = await requireSession(deps.resolveSession, browserContext);
    return reply
      .type('application/x-ndjson')
      .header('content-disposition', 'attachment; filename="access-log-proof.ndjson"')
      .send(Readable.from(exportSlice(deps, patientId)));
  });
  serve(routes, contract.listAuditEvents, ({ params: { orgId }, query: { action, ...page } }) =>
    findAuditEvents(deps, { organizationId: orgId, action }, page),
  );
}
