import type { z } from 'zod';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { ConsentRecordId, PatientId } from '../../../contract/brands.ts';
import {
  MAX_OPENED_WITH,
  type openConsentRecord as endpoint,
} from '../../../contract/organization/organization-consents.ts';
import type { Audit } from '../../platform/audit/append.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { readPicture } from '../decisions/pictures.ts';
import { signReceipt } from '../receipts/receipt.ts';
import { auditView } from '../records/audit-view.ts';
import { findConsentRecord, toConsentRecordDto, toListedScreenshotDto } from '../records/consent-record.ts';
import { selectScreenshotsOfRecords } from '../records/consent-records.sql.ts';
import { toOrganizationConsentDto } from '../records/organization-consents.ts';
import { selectOrganizationConsents } from '../records/organization-consents.sql.ts';
import type { EvidenceDeps } from './export-evidence.ts';

interface Deps extends EvidenceDeps {
  audit: Audit;
  /** Takes why a picture cannot be read; the others are shown. */
  onPictureError(error: unknown): void;
}

type Opened = z.input<(typeof endpoint)['response']>;

/**
 * Opens a decision with its evidence. Whoever looks at it once leaves one entry in the patient's log, that of the pictures
 * where there are any.
 */
export async function openConsentRecord(
  deps: Deps,
  caller: OrganizationCaller,
  consentRecordId: ConsentRecordId,
): Promise<Opened> {
  const { db, clock, audit } = deps;
  const record = await findConsentRecord(db, caller, consentRecordId);
  const { patient_id: patientId } = record;
  const query = { reach: caller, filter: { patientId }, after: null, limit: MAX_OPENED_WITH };
  const [receipt, screenshots, decisions] = await Promise.all([
    signReceipt(deps, { patientId, consentRecordId }),
    readScreenshots(deps, patientId, consentRecordId),
    db.query(selectOrganizationConsents({ ...query, now: clock.now() })),
  ]);
  if (receipt === null) throw notFound('The consent record');
  await auditView(audit, caller, {
    action: screenshots.length > 0 ? 'consent.evidence_viewed' : 'consent.record_viewed',
    patientId,
    consentRecordId,
    detail: { view: 'opened', screenshots: screenshots.length, records: decisions.length },
  });
  return {
    record: toConsentRecordDto(record),
    receipt,
    screenshots,
    decisions: decisions.map(toOrganizationConsentDto),
  };
}

async function readScreenshots(
  { db, objects, onPictureError }: Deps,
  patientId: PatientId,
  consentRecordId: ConsentRecordId,
): Promise<Opened['screenshots']> {
  const rows = await db.query(selectScreenshotsOfRecords(patientId, [consentRecordId]));
  return Promise.all(
    rows.map(async (row) => ({
      ...toListedScreenshotDto(row),
      data: await readPicture(objects, patientId, row).then(
        (bytes) => bytes.toString('base64'),
        (error: unknown) => {
          onPictureError(error);
          return null;
        },
      ),
    })),
  );
}
