import { Readable } from 'node:stream';
import * as contract from '../../../contract/account/access-log.ts';
import { serveRaw, serve, type Routes } from '../../platform/http/serve.ts';
import { getMyAccessLog, getPatientAccessLog, getTokenAccessLog, type AccessLogDeps } from './access-log.ts';
import { exportSlice } from '../../platform/audit/export-slice.ts';
import type { SealDeps } from '../../platform/audit/seal.ts';

type Deps = AccessLogDeps & SealDeps;

/** The audit log, as organizations and patients see it. */
export function registerAccessLogRoutes(routes: Routes, deps: Deps): void {
  const { keptMonths } = deps.audit;
  serve(routes, contract.getAccessLog, async ({ caller, params: { patientId }, query }) => {
    const page =
      caller.kind === 'patient'
        ? await getTokenAccessLog(deps, caller.patientId, query)
        : await getPatientAccessLog(deps, { caller, patientId }, query);
    return { ...page, keptMonths };
  });
  serve(routes, contract.getMyAccessLog, async ({ caller, query }) => ({
    ...(await getMyAccessLog(deps, caller.patientId, query)),
    keptMonths,
  }));
  serveRaw(routes, contract.getMyAuditProof, async ({ caller, reply }) =>
    reply
      .type('application/x-ndjson')
      .header('content-disposition', 'attachment; filename="access-log-proof.ndjson"')
      .send(Readable.from(exportSlice(deps, { patientId: caller.patientId, decision: null }))),
  );
}
