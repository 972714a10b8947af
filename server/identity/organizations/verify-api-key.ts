import { createHmac } from 'node:crypto';
import { hashSecret, verifySecret } from '../../platform/kernel/secret.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { VerifiedLogin } from '../tokens/access-token.ts';
import type { Db } from '../../platform/db/db.ts';
import { findLogin, updateLastUse } from './api-keys.sql.ts';
import { upsertAddress } from './key-addresses.sql.ts';

/** The hash that the secret of an unknown key is compared with, so that it takes as long as a wrong secret. */
const DUMMY_HASH = hashSecret('no key has this secret');

/** Only whoever has the secret recognizes the address; addresses are too few for a hash to hide them. */
const authenticateAddress = (apiSecret: string, address: string): Buffer =>
  createHmac('sha256', apiSecret).update(address).digest();

/** Returns the claims of a token for a key in force with a secret that is accepted, and when either ends; null for anything else. */
export async function verifyApiKey(
  { db, clock }: { db: Db; clock: Clock },
  { apiKey, apiSecret, address }: { apiKey: string; apiSecret: string; address: string },
): Promise<VerifiedLogin | null> {
  const now = clock.now();
  const rows = await db.query(findLogin(apiKey, now));
  if (rows.length === 0) verifySecret(apiSecret, DUMMY_HASH);
  const row = rows.filter(({ secret_hash: hash }) => verifySecret(apiSecret, hash))[0];
  if (!row) return null;
  const { role, organization_id: organizationId, credential_id: credentialId, project_ids: projectIds } = row;
  const claims = { role, sub: apiKey, organizationId, credentialId, ...(projectIds && { projectIds }) };
  await db.query(updateLastUse(credentialId, now));
  await db.query(upsertAddress(credentialId, authenticateAddress(apiSecret, address), now));
  return { claims, endsAt: row.ends_at };
}
