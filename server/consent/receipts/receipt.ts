import type { z } from 'zod';
import { SignJWT, type JWTPayload } from 'jose';
import type { DecisionKind } from '../../../contract/account/my-receipts.ts';
import type { PatientId } from '../../../contract/brands.ts';
import type { ReceiptReference } from '../../../contract/organization/receipt.ts';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import type { Db } from '../../platform/db/db.ts';
import { classifyDecision } from '../records/decision-kind.ts';
import {
  buildReceipt,
  findRecordForReceipt,
  formatExpiry,
  getEventState,
  hashRecord,
  type IssuedClaim,
  type ReceiptPayload,
  type RecordKey,
} from './build-receipt.ts';

export interface ReceiptDeps {
  db: Db;
  clock: Clock;
  keys: SigningKeys;
  baseUrl: string;
  consentAppUrl: string;
}

/** RFC 8725 §3.11: explicit types, so that no other token of this service passes for one of these or the reverse. */
export const RECEIPT_TYPE = 'consent-receipt+jwt';
export const REFERENCE_TYPE = 'consent-receipt-reference+jwt';

/**
 * Signs the receipt of a decision as a compact JWS; null where the patient has no such record. It is built on request from
 * the record, which never changes, and signed with the current key, so that the published keys verify it however old the
 * decision is.
 */
export async function signReceipt(deps: ReceiptDeps, record: RecordKey): Promise<string | null> {
  const row = await findRecordForReceipt(deps.db, record);
  return row && signJwt(deps, RECEIPT_TYPE, { ...buildReceipt(row, deps), sub: row.patient_id });
}

export interface ReceiptContent {
  kind: DecisionKind;
  receipt: ReceiptPayload & { sub: PatientId };
}

/** Returns what the signed receipt says; null where the patient has no such record. */
export async function readReceipt(deps: ReceiptDeps, record: RecordKey): Promise<ReceiptContent | null> {
  const row = await findRecordForReceipt(deps.db, record);
  if (!row) return null;
  return { kind: classifyDecision(row), receipt: { ...buildReceipt(row, deps), sub: row.patient_id } };
}

/** Signs a reference that may lie in a mailbox: it identifies a receipt and its record, and holds nothing of its content. */
export async function signReference(deps: ReceiptDeps, record: RecordKey): Promise<string | null> {
  const row = await findRecordForReceipt(deps.db, record);
  if (!row) return null;
  const reference: Omit<z.input<typeof ReceiptReference>, IssuedClaim> = {
    record_id: row.consent_record_id,
    event_state: getEventState(row),
    event_time: row.decided_at.toISOString(),
    expiry: formatExpiry(row),
    record_hash: hashRecord(row),
  };
  return signJwt(deps, REFERENCE_TYPE, reference);
}

/** Signs the payload as a compact JWS of a type, with when and by whom. */
export async function signJwt(
  { keys, clock, baseUrl }: ReceiptDeps,
  typ: string,
  payload: JWTPayload,
): Promise<string> {
  const { kid, key } = await keys.getCurrentKey();
  const iat = Math.floor(clock.now().getTime() / 1000);
  return new SignJWT({ ...payload, iss: baseUrl, iat, jti: generateId() })
    .setProtectedHeader({ alg: 'ES256', kid, typ })
    .sign(key);
}
