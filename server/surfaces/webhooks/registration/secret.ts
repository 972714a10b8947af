import { createHash, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

/** A signing secret as receivers are given it: their libraries strip the prefix and decode the rest. */
export const generateWebhookSecret = (): string => `whsec_${randomBytes(KEY_BYTES).toString('base64')}`;

/** Tells secrets apart without telling them. */
export const fingerprintSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex').slice(0, 12);
