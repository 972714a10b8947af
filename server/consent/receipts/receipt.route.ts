import { getReceipt } from '../../../contract/consent-records.ts';
import type { Audit } from '../../audit/append.ts';
import { guard, type Routes } from '../../http/serve.ts';
import { notFound } from '../../kernel/refusal.ts';
import { findRecord } from '../consent-records/find-record.ts';
import { auditView } from '../consent-records/views.ts';
import { prefersJson } from './media-type.ts';
import { signedReceipt, type ReceiptDeps } from './receipt.ts';

interface Deps extends ReceiptDeps {
  audit: Audit;
}

export function receiptRoute(routes: Routes, deps: Deps): void {
  guard(routes, getReceipt, async ({ params: { consentRecordId }, caller, request, reply }) => {
    const { patient_id: patientId } = await findRecord(deps.db, caller, consentRecordId);
    const receipt = await signedReceipt(deps, { patientId, consentRecordId });
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
