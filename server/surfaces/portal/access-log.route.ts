import { Readable } from 'node:stream';
import * as contract from '../../../contract/account/access-log.ts';
import { serveRaw, serve, type Routes } from '../../platform/http/serve.ts';
import { getMyAccessLog, getPatientAccessLog, getTokenAccessLog, type AccessLogDeps } from './access-log.ts';
import { exportSlice } from '../../platform/audit/export-slice.ts';
import type { SealDeps } from '../../platform/audit/seal.ts';

type Deps = AccessLogDeps & SealDeps;

/** The audit log, as organizations and patients see it. */
export function registerAccessLogRoutes(routes: Routes, deps: Deps): void {
  serve(routes, contract.getAccessLog, ({ caller, params: { patientId }, query }) =>
    caller.kind === 'patient'
      ? getTokenAccessLog(deps, caller.patientId, query)
      : getPatientAccessLog(deps, { caller, patientId }, query),
  );
  serve(routes, contract.getMyAccessLog, ({ caller, query }) =>
    getMyAccessLog(deps, caller.patientId, query),
  );
  serveRaw(routes, contract.getMyAuditProof, async ({ caller, reply }) =>
    reply
      .type('application/x-ndjson')
      .header('content-disposition', 'attachment; filename="access-log-proof.ndjson"')
      .send(Readable.from(exportSlice(deps, { patientId: caller.patientId, decision: null }))),
  );
}
