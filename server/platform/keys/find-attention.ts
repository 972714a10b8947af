import { createAttentionItem, type AttentionCheck } from '../attention/attention.ts';
import type { SecretSeal } from './secret-seal.ts';
import { countStoredSecrets, type SecretStore } from './stored-secrets.ts';

/** All secrets are looked at for it, so not at every look at the page. */
const KNOWN_MS = 60_000;

/** Creates the check whether there are secrets in the store that no key of this process opens: what needs one is refused. */
export function createSecretsAttention(
  secrets: Pick<SecretSeal, 'getState'>,
  stores: readonly SecretStore[],
): AttentionCheck {
  let known: { at: Date; isLost: boolean } | undefined;
  return {
    permission: 'organization.write',
    async find(_reach, now) {
      if (known === undefined || Math.abs(now.getTime() - known.at.getTime()) >= KNOWN_MS)
        known = { at: now, isLost: (await countStoredSecrets(secrets, stores)).unknown > 0 };
      if (!known.isLost) return [];
      const target = '/docs/operations#secrets-in-the-store';
      return [createAttentionItem({ code: 'secrets_lost', severity: 'problem', target })];
    },
  };
}
