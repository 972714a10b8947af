import { decideTestPatientConsent, withdrawConsent } from '../../contract/consent.ts';
import { serve, type Routes } from '../http/serve.ts';
import { dataScopes } from './data-classes.ts';
import { recordTestPatientDecision, withdraw, type Deps } from './record-decision.ts';

export function consentRoutes(routes: Routes, deps: Deps): void {
  serve(routes, decideTestPatientConsent, async ({ params, body }) => ({
    consentRecordId: await recordTestPatientDecision(deps, {
      ...params,
      consentType: body.consentType,
      consentStatus: body.consentStatus,
      scopes: dataScopes(body.consentDataResourceScopes, body.consentDataSensitivityScopes),
      expiresAt: body.expirationTimestamp === undefined ? null : new Date(body.expirationTimestamp),
    }),
  }));
  serve(routes, withdrawConsent, async ({ params, body }) => ({
    consentRecordId: await withdraw(deps, { ...params, consentType: body.consentType }),
  }));
}
