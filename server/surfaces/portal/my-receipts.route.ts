import type { z } from 'zod';
import * as contract from '../../../contract/account/my-receipts.ts';
import type { ConsentTitles } from '../../../contract/account/consent.ts';
import type { ConsentRecordId, PatientId } from '../../../contract/brands.ts';
import { toDataScopes, toScopesDto } from '../../consent/access/sensitivity-labels.ts';
import type { ReceiptContent } from '../../consent/receipts/receipt.ts';
import { selectScreenshot, selectScreenshots } from '../../consent/records/consent-records.sql.ts';
import { classifyDecision } from '../../consent/records/decision-kind.ts';
import { sendScreenshot } from '../../consent/records/screenshot-dialect.ts';
import { readPicture } from '../../consent/decisions/pictures.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { serve, serveRaw, type Routes } from '../../platform/http/serve.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { selectMyReceipts, type MyReceiptRow } from './my-receipts.sql.ts';

/** Returns the signed receipt of a person's decision as a compact JWS; null when they made no such decision. */
export type SignReceipt = (patientId: PatientId, consentRecordId: ConsentRecordId) => Promise<string | null>;

interface RouteDeps {
  db: Db;
  objects: Objects;
  signReceipt: SignReceipt;
  readReceipt(patientId: PatientId, consentRecordId: ConsentRecordId): Promise<ReceiptContent | null>;
}

/** The person's decisions, each with its receipt: signed, and to read with the screens it was made on. */
export function registerMyReceiptRoutes(routes: Routes, deps: RouteDeps): void {
  const { db } = deps;
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
  serve(routes, contract.getMyReceiptContent, async ({ caller: { patientId }, params }) => {
    const content = await deps.readReceipt(patientId, params.consentRecordId);
    if (content === null) throw notFound('The receipt');
    const rows = await db.query(selectScreenshots(patientId, params.consentRecordId));
    return {
      ...content,
      screenshots: rows.map((row) => ({
        id: row.screenshot_id,
        screen: row.screen,
        takenAt: row.taken_at.toISOString(),
      })),
    };
  });
  serveRaw(routes, contract.getMyReceiptScreenshot, async ({ reply, caller, params }) => {
    const { consentRecordId, screenshotId } = params;
    const row = await maybeOne(db, selectScreenshot(caller.patientId, consentRecordId, screenshotId));
    if (!row) throw notFound('The screenshot');
    return sendScreenshot(reply, row, await readPicture(deps.objects, caller.patientId, row));
  });
}

type MyReceiptDto = z.input<(typeof contract.listMyReceipts)['response']>['receipts'][number];

const toMyReceiptDto = (row: MyReceiptRow): MyReceiptDto => ({
  consentRecordId: row.consent_record_id,
  kind: classifyDecision(row),
  consentType: row.consent_type,
  decidedAt: row.decided_at.toISOString(),
  consentStatus: row.consent_status,
  until: row.expires_at.toISOString(),
  clientUntil:
    row.grant_expires_at !== null && row.grant_expires_at < row.expires_at
      ? row.grant_expires_at.toISOString()
      : null,
  ...toScopesDto(toDataScopes(row.resource_scopes, row.sensitivity_scopes)),
  organization: { name: row.organization_name },
  project: {
    id: row.project_id,
    name: row.project_name,
    titles: JSON.parse(row.titles) as ConsentTitles,
  },
  clientName: row.client_name,
  screenshots: row.screenshots,
});
