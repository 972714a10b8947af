import * as contract from '../../../contract/account/my-consents.ts';
import type { ConsentRecordId, PatientId } from '../../../contract/brands.ts';
import { serveRaw, serve, type Routes } from '../../platform/http/serve.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { toMyConsentDto, toMyReceiptDto } from './my-consents-dto.ts';
import { selectMyConsents, selectMyReceipts } from './my-consents.sql.ts';
import { disconnectClient } from '../../consent/decisions/disconnect-client.ts';
import { narrowConsent } from '../../consent/decisions/narrow-consent.ts';
import type { DecisionDeps } from '../../consent/decisions/decide.ts';
import { withdrawConsent } from '../../consent/decisions/withdraw-consent.ts';
import type { Db } from '../../platform/db/db.ts';

/** Returns the signed receipt of a person's decision as a compact JWS; null when they made no such decision. */
export type SignReceipt = (patientId: PatientId, consentRecordId: ConsentRecordId) => Promise<string | null>;

interface RouteDeps extends DecisionDeps {
  db: Db;
  signReceipt: SignReceipt;
  /** The hash of the portal's build, which a decision made there is evidence of. */
  portalHash: string;
}

/** The person's consents, decisions and receipts, and the withdrawal of a consent. */
export function registerMyConsentRoutes(routes: Routes, deps: RouteDeps): void {
  const { db, clock, portalHash } = deps;
  serve(routes, contract.listMyConsents, async ({ caller: { patientId } }) => {
    return { consents: (await db.query(selectMyConsents(patientId, clock.now()))).map(toMyConsentDto) };
  });
  serve(routes, contract.withdrawMyConsent, async ({ caller: { patientId }, body }) => {
    await withdrawConsent(deps, { patientId, ...body });
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
    };
    return { consentRecordId: await narrowConsent(deps, input) };
  });
  serve(routes, contract.listMyReceipts, async ({ caller: { patientId } }) => {
    return { receipts: (await db.query(selectMyReceipts(patientId))).map(toMyReceiptDto) };
  });
  serveRaw(routes, contract.getMyReceipt, async ({ reply, caller, params: { consentRecordId } }) => {
    const receipt = await deps.signReceipt(caller.patientId, consentRecordId);
    if (receipt === null) throw notFound('The receipt');
    return reply
      .type('application/jose')
      .header('content-disposition', `attachment; filename="consent-receipt-${consentRecordId}.jws"`)
      .send(receipt);
  });
}
