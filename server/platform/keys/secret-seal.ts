import { createHash } from 'node:crypto';
import { compactDecrypt, CompactEncrypt, decodeProtectedHeader } from 'jose';
import { LRUCache } from 'lru-cache';
import { LoggableError } from '../kernel/log-message.ts';
import { Refusal } from '../kernel/refusal.ts';

/** What a stored secret is for, and whose it is. One that was sealed for a purpose opens for no other. */
export type SecretPurpose = `${'member-totp' | 'source-bearer' | 'source-key' | 'webhook'}:${string}`;

/** How a secret is stored: `plain`, sealed under the first key or under another one, or under one that is not there. */
export type SecretState = 'plain' | 'current' | 'previous' | 'unknown';

/** Encrypts the secrets that the service must be able to use, so that the store alone does not give them away. */
export interface SecretSeal {
  /** Returns the secret as it is to be stored: sealed under the first key; without keys as it is. */
  seal(purpose: SecretPurpose, secret: string): Promise<string>;
  /** Returns the secret of what is stored, sealed or plain; throws where its key is not there, or it was sealed for another purpose. */
  open(purpose: SecretPurpose, stored: string): Promise<string>;
  getState(stored: string): SecretState;
  /** Whether there is a key. */
  readonly isKeyed: boolean;
}

const TYP = 'chartgate-secret';
const ENC = 'A256GCM';

/** Opened secrets that are kept: a webhook's is needed for each of its deliveries. */
const MAX_OPENED = 1000;

/** By keys of 256 bits: the first one seals, each opens. */
export function createSecretSeal(keys: readonly Uint8Array[]): SecretSeal {
  const byKid = new Map(keys.map((key) => [toKid(key), key]));
  const [current] = byKid;
  const opened = new LRUCache<string, string>({ max: MAX_OPENED });
  const getState = (stored: string): SecretState => {
    const kid = readKid(stored);
    if (kid === null) return 'plain';
    if (kid === current?.[0]) return 'current';
    return byKid.has(kid) ? 'previous' : 'unknown';
  };
  return {
    isKeyed: current !== undefined,
    getState,
    async seal(purpose, secret) {
      if (!current) return secret;
      const [kid, key] = current;
      // Each part of the protected header is authenticated with the text.
      return new CompactEncrypt(new TextEncoder().encode(secret))
        .setProtectedHeader({ typ: TYP, alg: 'dir', enc: ENC, kid, sub: purpose })
        .encrypt(key);
    },
    async open(purpose, stored) {
      const known = opened.get(`${purpose} ${stored}`);
      if (known !== undefined) return known;
      const kid = readKid(stored);
      if (kid === null) return stored;
      const key = byKid.get(kid);
      if (!key)
        throw new Refusal(503, 'secrets_key_missing', {
          detail:
            'The service lacks the key that this secret is encrypted under; whoever runs it can bring it back.',
          reason: `a secret is sealed under the key ${kid}, which CHARTGATE_SECRETS_KEY lacks`,
        });
      const { plaintext, protectedHeader } = await compactDecrypt(stored, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: [ENC],
      });
      if (protectedHeader['sub'] !== purpose)
        throw new LoggableError('a secret was sealed for another purpose');
      const secret = new TextDecoder().decode(plaintext);
      opened.set(`${purpose} ${stored}`, secret);
      return secret;
    },
  };
}

/** Names a key without revealing anything of it. */
const toKid = (key: Uint8Array): string =>
  createHash('sha256').update('chartgate secrets key').update(key).digest('base64url').slice(0, 12);

/** Returns the id of the key that a stored secret is sealed under; null for a plain one. */
function readKid(stored: string): string | null {
  // With a key that is used directly there is no encrypted one (RFC 7516 §5.1): the second part is empty.
  if (!/^[\w-]+\.\.[\w-]+\.[\w-]*\.[\w-]+$/.test(stored)) return null;
  try {
    const { typ, kid } = decodeProtectedHeader(stored);
    return typ === TYP && kid !== undefined ? kid : null;
  } catch {
    return null;
  }
}
