import { compactVerify, errors, type CryptoKey, type JWK } from 'jose';
import { z } from 'zod';
import { ConsentReceipt, ReceiptReference } from '../../../contract/organization/receipt.ts';
import {
  isCanonicalJws,
  importVerifyingKeys,
  type VerifyingKeys,
} from '../../platform/keys/verifying-keys.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { RECEIPT_TYPE, REFERENCE_TYPE } from './receipt.ts';

export type VerifiedReceipt =
  | { kind: 'receipt'; receipt: ConsentReceipt }
  | { kind: 'reference'; receipt: ReceiptReference };

/**
 * Verifies a receipt with one of these keys. `text`: the compact JWS, or JSON that holds it as `receipt`. Throws a sentence
 * that says what is wrong.
 */
export async function verifyReceipt(text: string, keys: VerifyingKeys): Promise<VerifiedReceipt> {
  const jws = extractReceipt(text);
  const isReference = parseHeader(jws, RECEIPT).typ === REFERENCE_TYPE;
  if (isReference) return { kind: 'reference', receipt: await verifyJws(jws, keys, REFERENCE) };
  return { kind: 'receipt', receipt: await verifyJws(jws, keys, RECEIPT) };
}

/** What may be signed: its name in sentences, the type that its header names, and what it says. */
export interface SignedKind<T> {
  name: string;
  typ: string;
  schema: z.ZodType<T>;
}

const RECEIPT: SignedKind<ConsentReceipt> = {
  name: 'consent receipt',
  typ: RECEIPT_TYPE,
  schema: ConsentReceipt,
};
const REFERENCE: SignedKind<ReceiptReference> = {
  name: 'consent receipt',
  typ: REFERENCE_TYPE,
  schema: ReceiptReference,
};

/** Verifies a compact JWS of a kind with one of these keys; throws a sentence that says what is wrong. */
export async function verifyJws<T>(jws: string, keys: VerifyingKeys, kind: SignedKind<T>): Promise<T> {
  const { name, schema } = kind;
  const { alg, kid, typ } = parseHeader(jws, kind);
  if (typ !== kind.typ) throw createRefusal('not_a_receipt', `This is signed, but it is not a ${name}.`);
  // The verifier chooses the algorithm (RFC 8725 §3.1), never the header.
  if (alg !== 'ES256')
    throw createRefusal('wrong_algorithm', `This ${name} is not signed with ES256, as it has to be.`);
  const key = kid === undefined ? undefined : keys.get(kid);
  if (!key)
    throw createRefusal(
      'unknown_key',
      `This ${name} is signed by a key that is not among the given ones: get the keys of the service that issued it.`,
    );
  const checked = schema.safeParse(await verifyPayload(jws, key, name));
  if (checked.success) return checked.data;
  throw createRefusal('not_a_receipt', `The signature is valid, but what it signs is not a ${name}.`);
}

const Jwks = z.object({
  keys: z.array(
    z.object({ kty: z.string(), crv: z.string().optional(), kid: z.string().optional() }).loose(),
  ),
});

/** Parses a file saved from `/.well-known/jwks.json` (RFC 7517 §5); returns the keys that can have signed a receipt. */
export async function parseKeySet(jwks: string): Promise<VerifyingKeys> {
  const keySet = Jwks.safeParse(tryParseJson(jwks));
  if (!keySet.success)
    throw createRefusal(
      'not_a_key_set',
      'The key file is not a JSON Web Key Set, as /.well-known/jwks.json is.',
    );
  const signingKeys = keySet.data.keys.filter(
    ({ kty, crv, kid }) => kty === 'EC' && crv === 'P-256' && kid !== undefined,
  );
  const keys = await importVerifyingKeys(signingKeys as JWK[]);
  if (keys.size < signingKeys.length)
    throw createRefusal('not_a_key_set', 'The key file holds a key that is not well-formed.');
  return keys;
}

function extractReceipt(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return trimmed;
  const { receipt } = (tryParseJson(trimmed) ?? {}) as { receipt?: unknown };
  if (typeof receipt !== 'string') throw createMalformedRefusal(RECEIPT);
  return receipt.trim();
}

const Header = z.object({ alg: z.string(), kid: z.string().optional(), typ: z.string().optional() });

function parseHeader(jws: string, kind: Pick<SignedKind<unknown>, 'name'>): z.infer<typeof Header> {
  const parts = jws.split('.');
  if (parts.length !== 3 || !isCanonicalJws(jws)) throw createMalformedRefusal(kind);
  const header = Header.safeParse(tryParseJson(Buffer.from(parts[0] as string, 'base64url').toString()));
  if (!header.success) throw createMalformedRefusal(kind);
  return header.data;
}

async function verifyPayload(jws: string, key: CryptoKey, name: string): Promise<unknown> {
  try {
    const { payload } = await compactVerify(jws, key, { algorithms: ['ES256'] });
    return tryParseJson(new TextDecoder().decode(payload));
  } catch (error) {
    if (error instanceof errors.JOSEError)
      throw createRefusal(
        'changed',
        `This ${name} was changed after it was issued: its signature is invalid.`,
      );
    throw error;
  }
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const createRefusal = (code: string, detail: string): Refusal => new Refusal(400, code, { detail });

const createMalformedRefusal = ({ name }: Pick<SignedKind<unknown>, 'name'>): Refusal =>
  createRefusal(
    'malformed',
    `This is not a ${name}: it must be a compact JWS${name === RECEIPT.name ? ', or JSON with one as "receipt"' : ''}.`,
  );
