import type { MemberId } from '../../../contract/brands.ts';
import type { Db } from '../../platform/db/db.ts';
import type { SecretPurpose } from '../../platform/keys/secret-seal.ts';
import type { SecretStore } from '../../platform/keys/stored-secrets.ts';
import { findTotpSecrets, replaceTotpSecret } from './factors.sql.ts';

export const toTotpPurpose = (memberId: MemberId): SecretPurpose => `member-totp:${memberId}`;

/** The secrets of members' authenticator apps, also of those that wait for their first code. */
export const createMemberSecrets = (db: Db): SecretStore => ({
  list: async () =>
    (await db.query(findTotpSecrets())).map(({ member_id: memberId, stored }) => ({
      purpose: toTotpPurpose(memberId),
      stored,
    })),
  replace: ({ stored }, sealed) => db.query(replaceTotpSecret(stored, sealed)),
});
