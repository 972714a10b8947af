import type { SourceId } from '../../../contract/brands.ts';
import type { Db } from '../../platform/db/db.ts';
import type { SecretPurpose, SecretSeal } from '../../platform/keys/secret-seal.ts';
import type { SecretStore, StoredSecret } from '../../platform/keys/stored-secrets.ts';
import * as statements from './sources.sql.ts';
import type { SourceKeyRow } from './sources.sql.ts';

export const toBearerPurpose = (sourceId: SourceId): SecretPurpose => `source-bearer:${sourceId}`;

export const toKeyPurpose = (kid: string): SecretPurpose => `source-key:${kid}`;

/** Returns a key with its private half as it is stored. */
export const sealKey = async (secrets: SecretSeal, key: SourceKeyRow): Promise<SourceKeyRow> => ({
  ...key,
  private_jwk: await secrets.seal(toKeyPurpose(key.kid), key.private_jwk),
});

export const openKey = async (secrets: SecretSeal, key: SourceKeyRow): Promise<SourceKeyRow> => ({
  ...key,
  private_jwk: await secrets.open(toKeyPurpose(key.kid), key.private_jwk),
});

/** What signs in to connected servers: bearer secrets, and the private keys of client assertions. */
export const createSourceSecrets = (db: Db): SecretStore => ({
  async list(): Promise<StoredSecret[]> {
    const bearers = await db.query(statements.findBearerSecrets());
    const keys = await db.query(statements.findPrivateKeys());
    return [
      ...bearers.map(({ source_id: sourceId, stored }) => ({ purpose: toBearerPurpose(sourceId), stored })),
      ...keys.map(({ kid, stored }) => ({ purpose: toKeyPurpose(kid), stored })),
    ];
  },
  async replace({ purpose, stored }, sealed) {
    const isKey = purpose.startsWith('source-key:');
    await db.query((isKey ? statements.replacePrivateKey : statements.replaceBearerSecret)(stored, sealed));
  },
});
