import { hashSecret, sameSecret } from '../kernel/secret.ts';
import type { Claims } from '../auth/claims.ts';
import { maybeOne, type Db } from '../storage/db.ts';
import { apiKeyByName } from './organizations.sql.ts';

/** What an unknown key is compared with, so that it takes as long as a wrong secret. */
const NOBODY = hashSecret('no key has this secret');

export async function verifyApiKey(db: Db, apiKey: string, apiSecret: string): Promise<Claims | null> {
  const row = await maybeOne(db, apiKeyByName(apiKey));
  const right = sameSecret(apiSecret, row?.secret_hash ?? NOBODY);
  return row && right ? { role: row.role, sub: apiKey, organizationId: row.organization_id } : null;
}
