import type { Caller } from '../../../contract/audience.ts';
import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import * as contract from '../../../contract/account/consent.ts';
import { endEnrollment as endEnrollmentEndpoint } from '../../../contract/organization/enrolled-patient.ts';
import { endEnrollments as endEnrollmentsEndpoint } from '../../../contract/organization/end-enrollments.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Db } from '../../platform/db/db.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { toDataScopes } from '../access/sensitivity-labels.ts';
import type { DecisionDeps } from './decide.ts';
import { endEnrollment } from './end-enrollment.ts';
import { endEnrollments } from './end-enrollments.ts';
import { decideTestPatientConsent } from './decide-test-patient-consent.ts';
import { withdrawConsent } from './withdraw-consent.ts';

interface RouteDeps extends DecisionDeps {
  db: Db;
  jobs: Jobs;
  consentAppUrl: string;
  /** Returns the project that the path names; throws 404 for an unknown project and 403 for another organization's. */
  requireOwnProject(caller: Caller, projectId: ProjectId): Promise<{ organization_id: OrganizationId }>;
}

export function registerConsentRoutes(routes: Routes, deps: RouteDeps): void {
  serve(routes, contract.decideTestPatientConsent, async ({ params, body }) => ({
    consentRecordId: await decideTestPatientConsent(deps, {
      ...params,
      consentType: body.consentType,
      consentStatus: body.consentStatus,
      scopes: toDataScopes(body.consentDataResourceScopes, body.consentDataSensitivityScopes),
      expiresAt: body.expirationTimestamp === undefined ? null : new Date(body.expirationTimestamp),
    }),
  }));
  serve(routes, contract.withdrawConsent, async ({ params, body }) => ({
    consentRecordId: await withdrawConsent(deps, { ...params, consentType: body.consentType }),
  }));
  serve(routes, endEnrollmentEndpoint, async ({ params, caller }) => {
    const { organization_id: organizationId } = await deps.requireOwnProject(caller, params.projectId);
    await endEnrollment(deps, { caller, organizationId, ...params });
    return undefined;
  });
  serve(routes, endEnrollmentsEndpoint, ({ caller, body }) => endEnrollments(deps, caller, body));
}
