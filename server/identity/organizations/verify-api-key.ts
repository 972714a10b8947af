import { hashSecret, verifySecret } from '../../platform/kernel/secret.ts';
import type { Claims } from '../tokens/claims.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { findApiKey } from './organizations.sql.ts';

/** The hash that the secret of an unknown key is compared with, so that it takes as long as a wrong secret. */
const DUMMY_HASH = hashSecret('no key has this secret');

export async function verifyApiKey(db: Db, apiKey: string, apiSecret: string): Promise<Claims | null> {
  const row = await maybeOne(db, findApiKey(apiKey));
  const isValid = verifySecret(apiSecret, row?.secret_hash ?? DUMMY_HASH);
  if (!row || !isValid) return null;
  const { role, organization_id: organizationId, credential_id: credentialId } = row;
  return { role, sub: apiKey, organizationId, credentialId };
}
