import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Generates 256 random bits as base64url: too many to guess, so a plain SHA-256 is a sufficient hash for storage. */
export const generateSecret = (prefix: string): string => prefix + randomBytes(32).toString('base64url');

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export const verifySecret = (secret: string, storedHash: Buffer): boolean =>
  timingSafeEqual(hashSecret(secret), storedHash);
