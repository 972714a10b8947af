import * as contract from '../../contract/my-consents.ts';
import type { ConsentRecordId, PatientId } from '../../contract/ids.ts';
import { demandSignedIn, type WhoIs } from '../http/demand-signed-in.ts';
import { guard, serve, type Routes } from '../http/serve.ts';
import { notFound } from '../kernel/refusal.ts';
import { consentOnPage, receiptOnPage } from './my-consents.ts';
import { myConsents, myReceipts } from './my-consents.sql.ts';
import { narrowConsent } from './narrow.ts';
import { withdraw, type Deps } from './record-decision.ts';

/** The signed receipt of a person's decision, as a compact JWS; null when there is no such decision of theirs. */
export type ReceiptOf = (patientId: PatientId, consentRecordId: ConsentRecordId) => Promise<string | null>;

interface RouteDeps extends Deps {
  signedIn: WhoIs<{ patientId: PatientId }>;
  receiptOf: ReceiptOf;
  /** The hash of the built consent page. */
  uiHash: string;
}

/** The person's own view of what they consent to, what they decided, and the way out. */
export function myConsentRoutes(routes: Routes, deps: RouteDeps): void {
  const { db, clock, signedIn, uiHash } = deps;
  serve(routes, contract.listMyConsents, async ({ visitor }) => {
    const { patientId } = await demandSignedIn(signedIn, visitor);
    return { consents: (await db.query(myConsents(patientId, clock.now()))).map(consentOnPage) };
  });
  serve(routes, contract.withdrawMyConsent, async ({ visitor, body: { projectId } }) => {
    const { patientId } = await demandSignedIn(signedIn, visitor);
    await withdraw(deps, { patientId, projectId, consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE' });
    return undefined;
  });
  serve(routes, contract.narrowMyConsent, async ({ visitor, body }) => {
    const { patientId } = await demandSignedIn(signedIn, visitor);
    const { consentDataResourceScopes: resourceScopes, consentDataSensitivityScopes: sensitivityScopes } =
      body;
    const wanted = { patientId, projectId: body.projectId, resourceScopes, sensitivityScopes, uiHash };
    return { consentRecordId: await narrowConsent(deps, wanted) };
  });
  serve(routes, contract.listMyReceipts, async ({ visitor }) => {
    const { patientId } = await demandSignedIn(signedIn, visitor);
    return { receipts: (await db.query(myReceipts(patientId))).map(receiptOnPage) };
  });
  guard(routes, contract.getMyReceipt, async ({ reply, visitor, params: { consentRecordId } }) => {
    const { patientId } = await demandSignedIn(signedIn, visitor);
    const receipt = await deps.receiptOf(patientId, consentRecordId);
    if (receipt === null) throw notFound('The receipt');
    return reply
      .type('application/jose')
      .header('content-disposition', `attachment; filename="consent-receipt-${consentRecordId}.jws"`)
      .send(receipt);
  });
}
