import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type CryptoKey,
  type JWK,
} from 'jose';
import { randomUUID } from 'node:crypto';
import type { SourceKeyRow } from './sources.sql.ts';

export type AssertionAlg = SourceKeyRow['alg'];

/** SMART App Launch 2.2, Asymmetric Authentication: servers know at least one of them. The smaller is preferred. */
const ALGS: readonly AssertionAlg[] = ['ES384', 'RS384'];

/** Creates a key for each algorithm, so that a server may change its algorithm without a new registration. */
export const createClientKeys = (): Promise<SourceKeyRow[]> => Promise.all(ALGS.map(createKey));

async function createKey(alg: AssertionAlg): Promise<SourceKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair(alg, {
    extractable: true,
    ...(alg === 'RS384' && { modulusLength: 3072 }),
  });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return {
    kid,
    alg,
    public_jwk: JSON.stringify({ ...jwk, kid, alg, use: 'sig', key_ops: ['verify'] }),
    private_jwk: JSON.stringify({ ...(await exportJWK(privateKey)), kid, alg }),
  };
}

/**
 * Selects the algorithm to sign with; returns null when the server accepts neither. A server that declares none most
 * probably accepts RS384, which is older.
 */
export function selectAlg(supported: readonly string[] | null): AssertionAlg | null {
  if (supported === null) return 'RS384';
  return ALGS.find((alg) => supported.includes(alg)) ?? null;
}

interface AssertionOptions {
  clientId: string;
  /** The token endpoint's address. */
  audience: string;
  now: Date;
}

/** RFC 7523 §3 allows more; SMART Backend Services five minutes. */
const LIFETIME_S = 240;

/** Signs a client assertion, a JWT for one use. */
export async function signClientAssertion(
  key: SourceKeyRow,
  { clientId, audience, now }: AssertionOptions,
): Promise<string> {
  const signing = (await importJWK(JSON.parse(key.private_jwk) as JWK, key.alg)) as CryptoKey;
  const seconds = Math.floor(now.getTime() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + LIFETIME_S)
    .sign(signing);
}
