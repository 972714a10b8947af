import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import type { ConsentRecord } from '../../../../contract/organization/consent-records.ts';
import type { ConsentReceipt } from '../../../../contract/organization/receipt.ts';

/** What the page has fetched of a decision. */
export interface FetchedEvidence {
  record: ConsentRecord;
  /** Compact JWS. */
  receipt: string;
  keys: readonly JWK[];
  pictures: readonly { id: string; bytes: ArrayBuffer | null }[];
}

export interface Check {
  name: 'signature' | 'record' | 'count' | 'picture';
  passed: boolean;
  /** What was compared: the id of the key, or the hash that was computed here. */
  detail: string | null;
  /** From 0, of a picture. */
  picture?: number;
}

const RECEIPT_TYPE = 'consent-receipt+jwt';

/**
 * Checks the evidence with what the browser has fetched: the signature of the receipt, that it is about this record, and the
 * SHA-256 of each picture. A check that cannot be made has failed.
 */
export async function verifyEvidence(evidence: FetchedEvidence): Promise<Check[]> {
  const { receipt, kid } = await verifySignature(evidence);
  const named = receipt?.evidence.screenshots ?? [];
  const pictures = evidence.pictures.map(async ({ id, bytes }, picture): Promise<Check> => {
    const expected = named.find((each) => each.id === id)?.sha256;
    const actual = bytes === null ? null : await hashBytes(bytes);
    return { name: 'picture', picture, passed: actual !== null && actual === expected, detail: actual };
  });
  return [
    { name: 'signature', passed: receipt !== null, detail: kid },
    { name: 'record', passed: receipt !== null && isAboutRecord(receipt, evidence.record), detail: null },
    {
      name: 'count',
      passed: receipt !== null && named.length === evidence.pictures.length,
      detail: String(evidence.pictures.length),
    },
    ...(await Promise.all(pictures)),
  ];
}

/** The verifier chooses algorithm and type (RFC 8725 §3.1, §3.11), never the header. */
async function verifySignature({
  receipt,
  keys,
}: FetchedEvidence): Promise<{ receipt: ConsentReceipt | null; kid: string | null }> {
  let kid: string | null = null;
  try {
    const header = decodeProtectedHeader(receipt);
    kid = header.kid ?? null;
    const jwk = keys.find((key) => key.kid === kid);
    if (header.typ !== RECEIPT_TYPE || jwk === undefined) return { receipt: null, kid };
    const key = await importJWK(jwk, 'ES256');
    const { payload } = await compactVerify(receipt, key, { algorithms: ['ES256'] });
    return { receipt: JSON.parse(new TextDecoder().decode(payload)) as ConsentReceipt, kid };
  } catch {
    return { receipt: null, kid };
  }
}

const isAboutRecord = (receipt: ConsentReceipt, record: ConsentRecord): boolean =>
  receipt.record_id === record.id &&
  receipt.pii_principal_id === record.patientId &&
  receipt.event_schema[0]?.event_time === record.timestamp &&
  receipt.evidence.studySnapshotId === record.studySnapshotId &&
  receipt.evidence.uiHash === record.uiHash &&
  receipt.evidence.consentUIFlow === record.consentUIFlow;

async function hashBytes(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
