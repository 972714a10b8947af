import { LoggableError } from '../kernel/log-message.ts';
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;

/** A key encrypts one content, so the nonce need not differ (NIST SP 800-38D §8). */
const NONCE = Buffer.alloc(12);

const createCipher = (key: Buffer) => createCipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });

/** Generates the key of one content. */
export const generateContentKey = (): Buffer => randomBytes(32);

/** What is sent to the store. */
export interface EncryptedContent {
  /** Of what is sent, in hexadecimal. */
  sha256: string;
  length: number;
  /** Opens it anew for each attempt to send it. */
  open(): Buffer | ReturnType<typeof createReadStream>;
}

export function encryptBytes(key: Buffer, bytes: Buffer): EncryptedContent {
  const cipher = createCipher(key);
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  const sha256 = createHash('sha256').update(encrypted).digest('hex');
  return { sha256, length: encrypted.length, open: () => encrypted };
}

/** Encrypts a file into another one, which the caller removes when it was sent. */
export async function encryptFile(key: Buffer, from: string, into: string): Promise<EncryptedContent> {
  const hash = createHash('sha256');
  let length = 0;
  await pipeline(
    createReadStream(from),
    async function* (chunks: AsyncIterable<Buffer>) {
      const cipher = createCipher(key);
      for await (const chunk of chunks) yield cipher.update(chunk);
      yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
    },
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        length += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(into, { mode: 0o600 }),
  );
  return { sha256: hash.digest('hex'), length, open: () => createReadStream(into) };
}

/** What came back is not what was put, or not all of it. */
export class DamagedObjectError extends LoggableError {
  override name = 'DamagedObjectError';
}

/**
 * Decrypts what came back, a chunk at a time. Throws at the end where a bit of it differs from what was put: whoever was sent
 * the chunks before is not sent the end.
 */
export async function* decrypt(
  { contentKey, size }: { contentKey: Buffer; size: number },
  encrypted: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const decipher = createDecipheriv(CIPHER, contentKey, NONCE, { authTagLength: TAG_BYTES });
  const rest: Buffer[] = [];
  let left = size;
  for await (const chunk of encrypted) {
    const body = chunk.subarray(0, left);
    left -= body.length;
    if (body.length > 0) yield decipher.update(body);
    if (body.length < chunk.length) rest.push(chunk.subarray(body.length));
  }
  const tag = Buffer.concat(rest);
  if (left > 0 || tag.length !== TAG_BYTES) throw new DamagedObjectError('an object has another length');
  decipher.setAuthTag(tag);
  try {
    decipher.final();
  } catch (error) {
    throw new DamagedObjectError('an object is not what was put', { cause: error });
  }
}
