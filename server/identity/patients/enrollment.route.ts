import * as enrolled from '../../../contract/organization/enrolled-patient.ts';
import * as contract from '../../../contract/organization/enrollment.ts';
import type { Caller, OrganizationCaller } from '../../../contract/audience.ts';
import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { enrollPatients, type Deps } from './enroll-patients.ts';
import { sendInvitation, updateEnrolledPatient, type EnrolledDeps } from './enrolled-patients.ts';

interface RouteDeps extends Deps, EnrolledDeps {
  /** Returns the project that the path names; throws 403 for one of another organization, or none. */
  requireOwnProject(
    caller: Caller,
    projectId: ProjectId,
  ): Promise<{ project_id: ProjectId; organization_id: OrganizationId }>;
}

export function registerEnrollmentRoute(routes: Routes, deps: RouteDeps): void {
  serve(routes, contract.enrollPatients, async ({ params, query, body, caller }) => {
    const project = await deps.requireOwnProject(caller, params.projectId);
    return enrollPatients(deps, {
      project: { projectId: project.project_id, organizationId: project.organization_id },
      caller,
      items: body.patients,
      invite: body.suppressNotifications !== true,
      dryRun: query.dryRun === 'true',
    });
  });
  const getTarget = async (
    caller: OrganizationCaller,
    params: { projectId: ProjectId; patientId: PatientId },
  ) => {
    const { organization_id: organizationId } = await deps.requireOwnProject(caller, params.projectId);
    return { caller, organizationId, ...params };
  };
  serve(routes, enrolled.sendInvitation, async ({ params, caller }) =>
    sendInvitation(deps, await getTarget(caller, params)),
  );
  serve(routes, enrolled.updateEnrolledPatient, async ({ params, caller, body }) =>
    updateEnrolledPatient(deps, await getTarget(caller, params), body),
  );
}
