import { calculateJwkThumbprint, importJWK, type CryptoKey, type JWK } from 'jose';

/** Public keys by their ids. */
export type VerifyingKeys = ReadonlyMap<string, CryptoKey>;

/** Imports keys whose ids are their thumbprints (RFC 7638), so that no key can pass for another. */
export async function importVerifyingKeys(jwks: readonly JWK[]): Promise<VerifyingKeys> {
  const keys = new Map<string, CryptoKey>();
  for (const { kty, crv, x, y, kid } of jwks) {
    if (kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined || kid === undefined) continue;
    // Only the public half, whatever else the set holds.
    const jwk = { kty, crv, x, y };
    if ((await calculateJwkThumbprint(jwk)) === kid)
      keys.set(kid, (await importJWK(jwk, 'ES256')) as CryptoKey);
  }
  return keys;
}

/**
 * Whether a JWS is base64url as an encoder writes it: the last character of a signature has four unused bits, and a JWS in
 * which they differ is not the one that was issued.
 */
export const isCanonicalJws = (jws: string): boolean =>
  jws.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
