import { decideTestPatientConsent, withdrawConsent } from '../../../contract/account/consent.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { toDataScopes } from '../access/sensitivity-labels.ts';
import { recordTestPatientDecision, withdraw, type Deps } from './record-decision.ts';

export function registerConsentRoutes(routes: Routes, deps: Deps): void {
  serve(routes, decideTestPatientConsent, async ({ params, body }) => ({
    consentRecordId: await recordTestPatientDecision(deps, {
      ...params,
      consentType: body.consentType,
      consentStatus: body.consentStatus,
      scopes: toDataScopes(body.consentDataResourceScopes, body.consentDataSensitivityScopes),
      expiresAt: body.expirationTimestamp === undefined ? null : new Date(body.expirationTimestamp),
    }),
  }));
  serve(routes, withdrawConsent, async ({ params, body }) => ({
    consentRecordId: await withdraw(deps, { ...params, consentType: body.consentType }),
  }));
}
