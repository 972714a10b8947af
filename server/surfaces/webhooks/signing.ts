import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Webhook } from 'standardwebhooks';
import type { WebhookId } from '../../../contract/brands.ts';
import type { SecretPurpose, SecretSeal } from '../../platform/keys/secret-seal.ts';

const KEY_BYTES = 32;

/** Generates a signing secret in the form that receivers' libraries take: they strip the prefix and decode the rest. */
export const generateWebhookSecret = (): string => `whsec_${randomBytes(KEY_BYTES).toString('base64')}`;

export const toSecretPurpose = (webhookId: WebhookId): SecretPurpose => `webhook:${webhookId}`;

/** Returns a webhook's secrets from what is stored. */
export const openSecrets = (
  secrets: SecretSeal,
  webhookId: WebhookId,
  stored: readonly string[],
): Promise<string[]> => Promise.all(stored.map((each) => secrets.open(toSecretPurpose(webhookId), each)));

/** Identifies a secret without revealing it. */
export const fingerprintSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex').slice(0, 12);

/** By their secrets: the key is decoded once, not for each delivery. */
const signers = new LRUCache<string, Webhook>({ max: 1000, memoMethod: (secret) => new Webhook(secret) });

interface Message {
  id: string;
  body: string;
  at: Date;
}

/** Builds the headers of Standard Webhooks, with one signature for each secret, in the order of the secrets. */
export function buildSignedHeaders(
  secrets: readonly string[],
  { id, body, at }: Message,
): Record<'content-type' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => signers.memo(secret).sign(id, at, body)).join(' '),
  };
}
