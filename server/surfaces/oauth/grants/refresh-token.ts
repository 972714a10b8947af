import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { GrantId, PatientId } from '../../../../contract/brands.ts';
import type { RefreshTokenKeys } from './refresh-token-keys.ts';

/** What a refresh token says of itself. */
export interface RefreshTokenContent {
  patientId: PatientId;
  grantId: GrantId;
  generation: number;
}

/** 16 bytes patient, 16 bytes grant, 4 bytes generation. */
const CONTENT_BYTES = 36;

/**
 * `keyId.content.mac`: its authenticity is known before anything is asked of the store, nothing secret lies there, and
 * a replaced token of any age is known as one without a list of them. RFC 9700 §4.14.2 allows the grant to be encoded
 * if its integrity is protected. The same grant and generation give the same token.
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

/** null for what we did not make. */
export async function decodeRefreshToken(
  keys: RefreshTokenKeys,
  token: string,
): Promise<RefreshTokenContent | null> {
  const [, signed, keyId, content, mac] = /^(([\w-]{8})\.([\w-]{48}))\.([\w-]{43})$/.exec(token) ?? [];
  if (signed === undefined || keyId === undefined || content === undefined || mac === undefined) return null;
  const secret = await keys.find(keyId);
  // As text: four spellings of base64url are the same 32 bytes, and we made one of them.
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
