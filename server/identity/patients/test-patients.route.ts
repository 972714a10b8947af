import * as contract from '../../../contract/organization/test-patients.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import * as testPatients from './test-patients.ts';

export function registerTestPatientRoutes(routes: Routes, deps: testPatients.Deps): void {
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
  serve(routes, contract.renewTestPatientPassword, async ({ caller, params }) => ({
    password: await testPatients.renewTestPatientPassword(deps, caller, params.patientId),
  }));
}
