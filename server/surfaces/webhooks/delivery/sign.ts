import { Webhook } from 'standardwebhooks';

interface Message {
  id: string;
  body: string;
  at: Date;
}

/** Headers of Standard Webhooks; one signature for each secret, in their order. */
export function buildSignedHeaders(
  secrets: readonly string[],
  { id, body, at }: Message,
): Record<'content-type' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
