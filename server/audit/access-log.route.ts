import { Readable } from 'node:stream';
import * as contract from '../../contract/access-log.ts';
import type { PatientId } from '../../contract/ids.ts';
import { demandSignedIn, type WhoIs } from '../http/demand-signed-in.ts';
import { guard, serve, type Routes } from '../http/serve.ts';
import {
  auditEvents,
  ownAccessLog,
  patientsAccessLog,
  tokensAccessLog,
  type AccessLogDeps,
} from './access-log.ts';
import { exportSlice } from './export-slice.ts';
import type { SealDeps } from './seal.ts';

interface Deps extends AccessLogDeps, SealDeps {
  signedIn: WhoIs<{ patientId: PatientId }>;
}

/** The audit log, as organizations and patients see it. */
export function accessLogRoutes(routes: Routes, deps: Deps): void {
  serve(routes, contract.getAccessLog, ({ caller, params: { patientId }, query }) =>
    caller.kind === 'patient'
      ? tokensAccessLog(deps, caller.patientId, query)
      : patientsAccessLog(deps, { caller, patientId }, query),
  );
  serve(routes, contract.getMyAccessLog, async ({ visitor, query }) => {
    const { patientId } = await demandSignedIn(deps.signedIn, visitor);
    return ownAccessLog(deps, patientId, query);
  });
  guard(routes, contract.getMyAuditProof, async ({ visitor, reply }) => {
    const { patientId } = await demandSignedIn(deps.signedIn, visitor);
    return reply
      .type('application/x-ndjson')
      .header('content-disposition', 'attachment; filename="access-log-proof.ndjson"')
      .send(Readable.from(exportSlice(deps, patientId)));
  });
  serve(routes, contract.listAuditEvents, ({ params: { orgId }, query: { action, ...page } }) =>
    auditEvents(deps, { organizationId: orgId, action }, page),
  );
}
