import * as contract from '../../../contract/account/my-consents.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { toMyConsentDto } from './my-consents-dto.ts';
import { selectMyConsents } from './my-consents.sql.ts';
import { disconnectClient } from '../../consent/decisions/disconnect-client.ts';
import { narrowConsent } from '../../consent/decisions/narrow-consent.ts';
import { API_TERMS, WITHDRAWAL_FLOW, type DecisionDeps } from '../../consent/decisions/decide.ts';
import { withdrawConsent } from '../../consent/decisions/withdraw-consent.ts';
import type { Db } from '../../platform/db/db.ts';

interface RouteDeps extends DecisionDeps {
  db: Db;
  /** The hash of the portal's build, which a decision made there is evidence of. */
  portalHash: string;
}

/** The person's consents, and how they narrow and withdraw them. */
export function registerMyConsentRoutes(routes: Routes, deps: RouteDeps): void {
  const { db, clock, portalHash } = deps;
  serve(routes, contract.listMyConsents, async ({ caller: { patientId } }) => ({
    consents: (await db.query(selectMyConsents(patientId, clock.now()))).map(toMyConsentDto),
  }));
  serve(routes, contract.withdrawMyConsent, async ({ caller: { patientId }, body }) => {
    const { language, ...target } = body;
    const terms = { ...API_TERMS, uiFlow: WITHDRAWAL_FLOW, uiHash: portalHash, language };
    await withdrawConsent(deps, { patientId, ...target }, terms);
    return undefined;
  });
  serve(routes, contract.disconnectMyApp, async ({ caller: { patientId }, body }) => {
    await disconnectClient(deps, { patientId, ...body });
    return undefined;
  });
  serve(routes, contract.narrowMyConsent, async ({ caller: { patientId }, body }) => {
    const { consentDataResourceScopes: resourceScopes, consentDataSensitivityScopes: sensitivityScopes } =
      body;
    const input = {
      patientId,
      projectId: body.projectId,
      consentType: body.consentType,
      resourceScopes,
      sensitivityScopes,
      uiHash: portalHash,
      language: body.language,
    };
    return { consentRecordId: await narrowConsent(deps, input) };
  });
}
