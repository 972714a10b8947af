import { createTestPatientGrant } from '../../../../contract/organization/test-patients.ts';
import { requireOwnProject } from '../../../identity/organizations/projects.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { grantToTestAgent, type TestGrantDeps } from './grant-to-test-agent.ts';

/** Registers the endpoint by which an organization compares what its test patients' agents get. */
export function registerTestGrantRoute(routes: Routes, deps: TestGrantDeps): void {
  serve(routes, createTestPatientGrant, async ({ caller, params, body, baseUrl }) => {
    await requireOwnProject(deps.db, caller, params.projectId);
    return grantToTestAgent(deps, { ...params, caller, body, baseUrl });
  });
}
