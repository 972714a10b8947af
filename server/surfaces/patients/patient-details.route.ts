import * as contract from '../../../contract/organization/patients.ts';
import * as uploads from '../../../contract/organization/shared-uploads.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { findSharedUpload, getPatientDetails, type PatientDetailsDeps } from './patient-details.ts';

/** Registers what an organization sees of one patient, put together from every wing. */
export function registerPatientDetails(routes: Routes, deps: PatientDetailsDeps): void {
  serve(routes, contract.getPatient, ({ caller, params: { patientId } }) =>
    getPatientDetails(deps, caller, patientId),
  );
  serve(routes, uploads.findSharedUpload, ({ caller, params: { batchId } }) =>
    findSharedUpload(deps, caller, batchId),
  );
}
