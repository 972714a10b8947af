import { hash } from 'node:crypto';
import { CompactSign, compactVerify } from 'jose';
import { z } from 'zod';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { isCanonicalJws, type VerifyingKeys } from '../keys/verifying-keys.ts';
import { HASH_BYTES } from './merkle-tree.ts';

/** A separate type, so that no checkpoint passes for an access token, and no token for a checkpoint. */
const CHECKPOINT_TYPE = 'audit-checkpoint+jwt';

const Hash = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

const Checkpoint = z.strictObject({
  /** The service's base URL when the checkpoint was signed. */
  iss: z.string(),
  organizationId: z.uuid(),
  /** From 1. */
  block: z.int().min(1),
  /** How many entries the block holds. */
  entries: z.int().min(1),
  /** Merkle root over the entries' hashes: base64url, like the other hashes. */
  root: Hash,
  /** SHA-256 over the previous checkpoint; zeros in the first one. */
  previous: Hash,
  sealedAt: z.iso.datetime(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** The hash that the first block names as its predecessor's. */
export const GENESIS_HASH = Buffer.alloc(HASH_BYTES);

/** Hashes the characters of a checkpoint, signature included: the next block names this hash. */
export const hashCheckpoint = (jws: string): Buffer => hash('sha256', jws, 'buffer');

export function signCheckpoint(
  { kid, key }: Awaited<ReturnType<SigningKeys['getCurrentKey']>>,
  checkpoint: Checkpoint,
): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(checkpoint)))
    .setProtectedHeader({ alg: 'ES256', kid, typ: CHECKPOINT_TYPE })
    .sign(key);
}

/** Verifies and parses a checkpoint; returns null when it is malformed, not canonical, or not signed by one of the keys. */
export async function readCheckpoint(jws: string, keys: VerifyingKeys): Promise<Checkpoint | null> {
  if (!isCanonicalJws(jws)) return null;
  try {
    const { payload, protectedHeader } = await compactVerify(
      jws,
      ({ kid }) => {
        const key = keys.get(kid ?? '');
        if (!key) throw new Error('unknown key');
        return key;
      },
      { algorithms: ['ES256'] },
    );
    if (protectedHeader.typ !== CHECKPOINT_TYPE) return null;
    return Checkpoint.parse(JSON.parse(Buffer.from(payload).toString()));
  } catch {
    return null;
  }
}
