import type { CredentialId } from '../../../contract/brands.ts';
import { MAX_KEY_ADDRESSES } from '../../../contract/organization/api-keys.ts';
import { sql } from '../../platform/db/sql.ts';

/**
 * Notes that a secret was used from an address, once a day for each: of so many that they are counted no further, no more is
 * written.
 */
export const upsertAddress = (credentialId: CredentialId, addressMac: Buffer, now: Date) => sql`
  insert into api_key_address as known (credential_id, address_mac, last_used_at)
  select ${credentialId}, ${addressMac}, date_trunc('day', ${now}::timestamptz, 'UTC')
  where not exists (
    select from api_key_address a where a.credential_id = ${credentialId} and a.address_mac <> ${addressMac}
    offset ${MAX_KEY_ADDRESSES - 1} limit 1)
  on conflict (credential_id, address_mac) do update set last_used_at = excluded.last_used_at
  where known.last_used_at < excluded.last_used_at`;

export const deleteAddressesBefore = (before: Date) => sql`
  delete from api_key_address where last_used_at < ${before}`;
