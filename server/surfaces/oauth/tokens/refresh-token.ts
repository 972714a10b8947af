import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { GrantId, PatientId } from '../../../../contract/brands.ts';
import type { RefreshTokenKeys } from './refresh-token-keys.ts';

/** The content of a refresh token. */
export interface RefreshTokenContent {
  patientId: PatientId;
  grantId: GrantId;
  generation: number;
}

/** 16 bytes for the patient, 16 for the grant, 4 for the generation. */
const CONTENT_BYTES = 36;

/**
 * Encodes a token as `keyId.content.mac`. Its authenticity is checked without a query, the database holds no secret of it,
 * and a replaced token of any age is recognized without a list of them. RFC 9700 §4.14.2 allows a token to encode its
 * grant if the integrity is protected. The same grant and generation give the same token.
 */
export async function encodeRefreshToken(
  keys: RefreshTokenKeys,
  content: RefreshTokenContent,
): Promise<string> {
  const { key_id: keyId, secret } = await keys.current();
  const bytes = Buffer.alloc(CONTENT_BYTES);
  bytes.set(parse(content.patientId), 0);
  bytes.set(parse(content.grantId), 16);
  bytes.writeUInt32BE(content.generation, 32);
  const signed = `${keyId}.${bytes.toString('base64url')}`;
  return `${signed}.${computeMac(secret, signed)}`;
}

/** Returns null for a text that this server did not issue. */
export async function decodeRefreshToken(
  keys: RefreshTokenKeys,
  token: string,
): Promise<RefreshTokenContent | null> {
  const [, signed, keyId, content, mac] = /^(([\w-]{8})\.([\w-]{48}))\.([\w-]{43})$/.exec(token) ?? [];
  if (signed === undefined || keyId === undefined || content === undefined || mac === undefined) return null;
  const secret = await keys.find(keyId);
  // Compared as text: four spellings of base64url decode to the same 32 bytes, and only one of them was issued.
  if (!secret || !timingSafeEqual(Buffer.from(computeMac(secret, signed)), Buffer.from(mac))) return null;
  const bytes = Buffer.from(content, 'base64url');
  return {
    patientId: PatientId.parse(stringify(bytes.subarray(0, 16))),
    grantId: GrantId.parse(stringify(bytes.subarray(16, 32))),
    generation: bytes.readUInt32BE(32),
  };
}

const computeMac = (secret: Buffer, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');
