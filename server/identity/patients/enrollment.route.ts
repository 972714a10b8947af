import * as contract from '../../../contract/organization/enrollment.ts';
import type { Caller } from '../../../contract/audience.ts';
import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { enrollPatients, type Deps } from './enroll-patients.ts';

interface RouteDeps extends Deps {
  /** Returns the project that the path names; throws 404 for an unknown project and 403 for another organization's. */
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
}
