import * as contract from '../../../contract/account/consent.ts';
import type { Db } from '../../platform/db/db.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { toDataScopes } from '../access/sensitivity-labels.ts';
import type { DecisionDeps } from './decide.ts';
import { decideTestPatientConsent } from './decide-test-patient-consent.ts';
import { withdrawConsent } from './withdraw-consent.ts';

export function registerConsentRoutes(routes: Routes, deps: DecisionDeps & { db: Db }): void {
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
}
