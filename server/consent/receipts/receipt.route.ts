import { getReceipt } from '../../../contract/organization/consent-records.ts';
import type { Audit } from '../../platform/audit/append.ts';
import { serveRaw, type Routes } from '../../platform/http/serve.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { findConsentRecord } from '../records/consent-record.ts';
import { auditView } from '../records/audit-view.ts';
import { prefersJson } from './media-type.ts';
import { signReceipt, type ReceiptDeps } from './receipt.ts';

interface Deps extends ReceiptDeps {
  audit: Audit;
}

export function registerReceiptRoute(routes: Routes, deps: Deps): void {
  serveRaw(routes, getReceipt, async ({ params: { consentRecordId }, caller, request, reply }) => {
    const { patient_id: patientId } = await findConsentRecord(deps.db, caller, consentRecordId);
    const receipt = await signReceipt(deps, { patientId, consentRecordId });
    if (receipt === null) throw notFound('The consent record');
    await auditView(deps.audit, caller, {
      action: 'consent.record_viewed',
      patientId,
      consentRecordId,
      detail: { view: 'receipt' },
    });
    reply.header('vary', 'accept');
    if (prefersJson(request.headers.accept)) return reply.send({ receipt });
    return reply
      .type('application/jose')
      .header('content-disposition', `attachment; filename="consent-receipt-${consentRecordId}.jws"`)
      .send(receipt);
  });
}
