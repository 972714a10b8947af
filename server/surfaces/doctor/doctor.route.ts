import * as contract from '../../../contract/organization/doctor/doctor.ts';
import { toActor } from '../../platform/audit/append.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { getDoctorRuns, startDoctorRun, type DoctorDeps } from './doctor-runs.ts';

/** Registers the checks of the deployment that the command `chartgate doctor` makes too. */
export function registerDoctorRoutes(routes: Routes, deps: DoctorDeps): void {
  serve(routes, contract.startDoctorRun, ({ params: { orgId: organizationId }, caller }) =>
    startDoctorRun(deps, { organizationId, actor: toActor(caller) }),
  );
  serve(routes, contract.getDoctorRuns, ({ params: { orgId } }) => getDoctorRuns(deps.db, orgId));
}
