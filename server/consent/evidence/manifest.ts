import { createHash } from 'node:crypto';
import type { ConsentRecordId } from '../../../contract/brands.ts';
import type { EvidenceManifest } from '../../../contract/organization/receipt.ts';
import { signJwt, type ReceiptDeps } from '../receipts/receipt.ts';

/** The file of the archive that signs all others, by their hashes. */
export const MANIFEST = 'manifest.jws';

/** A separate type, so that no receipt passes for a manifest or the reverse (RFC 8725 §3.11). */
export const MANIFEST_TYPE = 'consent-evidence+jwt';

export type FileHash = EvidenceManifest['files'][number];

/** Passes the bytes of a file on, and reports their hash when all of them were taken. */
export async function* hashBytes(
  parts: AsyncIterable<Buffer | string> | Iterable<Buffer | string>,
  onHashed: (hashed: Omit<FileHash, 'path'>) => void,
): AsyncGenerator<Buffer | string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of parts) {
    hash.update(part);
    bytes += Buffer.byteLength(part);
    yield part;
  }
  onHashed({ sha256: hash.digest('hex'), bytes });
}

export const signManifest = (
  deps: ReceiptDeps,
  recordId: ConsentRecordId,
  files: FileHash[],
): Promise<string> => signJwt(deps, MANIFEST_TYPE, { record_id: recordId, files });
