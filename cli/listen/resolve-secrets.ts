import { Refusal } from '../../server/platform/kernel/refusal.ts';

/** Standard Webhooks: a symmetric secret is 24 to 64 bytes. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const PREFIX = 'whsec_';

/**
 * Returns the secrets to verify with: those given, else those of the environment, separated by spaces or commas; none where
 * the webhook is yet to be registered.
 */
export function resolveSecrets(options: readonly string[], environment: string | undefined): string[] {
  const secrets = options.length > 0 ? options : (environment ?? '').split(/[\s,]+/).filter(Boolean);
  for (const [index, secret] of secrets.entries()) {
    const fault = findSecretFault(secret);
    // The secret itself is not repeated: what a program complains about ends in logs.
    if (fault !== null)
      throw unusableSecret(`The secret${secrets.length > 1 ? ` number ${index + 1}` : ''} ${fault}`);
  }
  return [...new Set(secrets)];
}

function findSecretFault(secret: string): string | null {
  if (!secret.startsWith(PREFIX))
    return `does not begin with ${PREFIX}: take it whole, as creating or rotating answered`;
  const encoded = secret.slice(PREFIX.length);
  // Node decodes base64 leniently, the libraries of receivers do not.
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded))
    return `is not ${PREFIX} and base64: was it cut or quoted?`;
  const bytes = Buffer.from(encoded, 'base64').length;
  if (bytes >= MIN_BYTES && bytes <= MAX_BYTES) return null;
  return `holds ${bytes} bytes, and secrets have ${MIN_BYTES} to ${MAX_BYTES}: was it cut?`;
}

const unusableSecret = (detail: string): Refusal =>
  new Refusal(400, 'unusable_secret', { detail: `${detail}.` });
