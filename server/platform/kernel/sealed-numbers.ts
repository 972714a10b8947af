import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/** Encrypts numbers into texts that say nothing to whoever carries them, and that nobody else can make. */
export interface NumberSeal {
  seal(context: string, numbers: readonly number[]): string;
  /** Returns null for a text that was not sealed in this context, or holds another count of numbers. */
  open(context: string, text: string, count: number): number[] | null;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NUMBER_BYTES = 8;

/**
 * Creates a seal by AES-256-GCM whose nonce is a MAC of context and numbers (as in RFC 8452): the same position gives the same
 * text, so that equal answers stay equal byte for byte, and a nonce never comes twice with other numbers.
 */
export function createNumberSeal(secret: Buffer): NumberSeal {
  const keys = Buffer.from(hkdfSync('sha256', secret, '', 'chartgate sealed numbers', 64));
  const [encryptionKey, nonceKey] = [keys.subarray(0, 32), keys.subarray(32)];
  const deriveNonce = (context: string, plain: Buffer): Buffer =>
    createHmac('sha256', nonceKey)
      .update(`${context.length} ${context}`)
      .update(plain)
      .digest()
      .subarray(0, NONCE_BYTES);
  return {
    seal(context, numbers) {
      const plain = Buffer.alloc(numbers.length * NUMBER_BYTES);
      for (const [index, number] of numbers.entries()) plain.writeDoubleBE(number, index * NUMBER_BYTES);
      const nonce = deriveNonce(context, plain);
      const cipher = createCipheriv(CIPHER, encryptionKey, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url');
    },
    open(context, text, count) {
      const bytes = Buffer.from(text, 'base64url');
      const isCanonical = bytes.toString('base64url') === text;
      if (!isCanonical || bytes.length !== NONCE_BYTES + count * NUMBER_BYTES + TAG_BYTES) return null;
      const plain = decrypt(encryptionKey, bytes, context);
      return plain && Array.from({ length: count }, (_, index) => plain.readDoubleBE(index * NUMBER_BYTES));
    },
  };
}

function decrypt(key: Buffer, bytes: Buffer, context: string): Buffer | null {
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
