import * as contract from '../../../contract/organization/test-patients.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { requireOwnProject } from '../organizations/projects.ts';
import { createTestPatientToken, type TestPatientTokenDeps } from './create-test-patient-token.ts';
import { enrollTestPatient } from './enroll-test-patient.ts';
import * as testPatients from './test-patients.ts';

type RouteDeps = testPatients.Deps & TestPatientTokenDeps & { endConsents: testPatients.EndConsents };

export function registerTestPatientRoutes(routes: Routes, deps: RouteDeps): void {
  serve(routes, contract.createTestPatient, ({ caller, body }) =>
    testPatients.addTestPatient(deps, caller, body),
  );
  serve(routes, contract.listTestPatients, ({ params, query }) =>
    testPatients.listTestPatients(deps, params.orgId, query),
  );
  serve(routes, contract.getTestPatient, ({ params }) =>
    testPatients.findTestPatient(deps, params.orgId, params.patientId),
  );
  serve(routes, contract.deleteTestPatient, async ({ caller, params }) => {
    await testPatients.deleteTestPatient(deps, caller, params.patientId);
    return undefined;
  });
  serve(routes, contract.enrollTestPatient, async ({ caller, params: { patientId, projectId } }) => {
    const { organization_id: organizationId } = await requireOwnProject(deps.db, caller, projectId);
    await enrollTestPatient(deps, { caller, patientId, project: { projectId, organizationId } });
    return undefined;
  });
  serve(routes, contract.createTestPatientToken, async ({ caller, params, baseUrl }) => {
    await requireOwnProject(deps.db, caller, params.projectId);
    return createTestPatientToken(deps, { ...params, caller, baseUrl });
  });
  serve(routes, contract.renewTestPatientPassword, async ({ caller, params }) => ({
    password: await testPatients.renewTestPatientPassword(deps, caller, params.patientId),
  }));
}
