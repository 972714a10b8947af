import { EvidenceManifest } from '../../../contract/organization/receipt.ts';
import { verifySlice, type SliceVerification } from '../../platform/audit/verify-slice.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { VerifyingKeys } from '../../platform/keys/verifying-keys.ts';
import {
  verifyJws,
  verifyReceipt,
  type SignedKind,
  type VerifiedReceipt,
} from '../receipts/verify-receipt.ts';
import { hashBytes, MANIFEST, MANIFEST_TYPE, type FileHash } from './manifest.ts';

/** An archive of evidence, or the folder that it was unpacked into. */
export interface EvidenceFiles {
  /** Every path in it, in the order they stand there. */
  paths: readonly string[];
  read(path: string): AsyncIterable<Buffer>;
  readText(path: string): Promise<string>;
  readLines(path: string): AsyncIterable<string>;
}

export interface VerifiedEvidence {
  manifest: EvidenceManifest;
  receipt: VerifiedReceipt;
  log: Omit<SliceVerification, 'fault'>;
}

const KIND: SignedKind<EvidenceManifest> = {
  name: 'manifest of evidence',
  typ: MANIFEST_TYPE,
  schema: EvidenceManifest,
};

/**
 * Verifies that every file is the one that was signed, that none is missing and none was added, and besides the receipt and the
 * proofs of the log. Throws a sentence that says what is wrong.
 */
export async function verifyEvidence(files: EvidenceFiles, keys: VerifyingKeys): Promise<VerifiedEvidence> {
  if (!files.paths.includes(MANIFEST)) throw createRefusal('no_manifest', WITHOUT_MANIFEST);
  const manifest = await verifyJws((await files.readText(MANIFEST)).trim(), keys, KIND);
  const faults = await listFaults(files, manifest.files);
  if (faults.length > 0) throw createRefusal('changed', `${faults.join('; ')}.`);
  const receipt = await verifyReceipt(await files.readText('receipt.jws'), keys);
  if (receipt.receipt.record_id !== manifest.record_id)
    throw createRefusal('changed', 'The receipt is that of another record than the manifest.');
  const { fault, ...log } = await verifySlice(files.readLines('audit.ndjson'), keys);
  if (fault) throw createRefusal('changed', `audit.ndjson, line ${fault.line}: ${fault.detail}.`);
  return { manifest, receipt, log };
}

const WITHOUT_MANIFEST =
  'There is no manifest.jws: it was taken out, or the archive was made by a version that signed none; then only receipt.jws and audit.ndjson can be verified, each by itself, and nothing says that record.json and words.json are what they were.';

/** Says what differs from what was signed; a name is shown as JSON writes it, since whoever made the archive chose it. */
async function listFaults(files: EvidenceFiles, signed: readonly FileHash[]): Promise<string[]> {
  const found = Map.groupBy(
    files.paths.filter((path) => path !== MANIFEST),
    (path) => path,
  );
  const expected = new Map(signed.map((file) => [file.path, file]));
  const faults = [...found.entries()].flatMap(([path, all]) =>
    !expected.has(path)
      ? [`${JSON.stringify(path)} was added`]
      : all.length > 1
        ? [`${path} is there ${all.length} times`]
        : [],
  );
  for (const { path, sha256, bytes } of signed)
    if (!found.has(path)) faults.push(`${path} is missing`);
    else if (!(await isAsSigned(files.read(path), { sha256, bytes }))) faults.push(`${path} was changed`);
  return faults;
}

async function isAsSigned(
  parts: AsyncIterable<Buffer>,
  { sha256, bytes }: Omit<FileHash, 'path'>,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<Omit<FileHash, 'path'>>();
  await Array.fromAsync(hashBytes(parts, resolve), () => null);
  const actual = await promise;
  return actual.sha256 === sha256 && actual.bytes === bytes;
}

const createRefusal = (code: string, detail: string): Refusal => new Refusal(400, code, { detail });
