import type { JWK } from 'jose';
import { DirectoryInUseError } from '../server/platform/db/directory-lock.ts';
import { NoStoreError } from '../server/platform/db/existing-store.ts';
import { Refusal } from '../server/platform/kernel/refusal.ts';
import { listAllSigningKeys } from '../server/platform/keys/signing-keys.ts';
import { withDb } from './with-db.ts';

/** Loads every public key that the configured store ever signed with, none where there is no store; throws what to do instead while a service has it open. */
export async function loadStoredKeys(): Promise<JWK[]> {
  try {
    return await withDb((db) => listAllSigningKeys(db));
  } catch (error) {
    if (error instanceof NoStoreError) return [];
    if (!(error instanceof DirectoryInUseError)) throw error;
    throw new Refusal(409, 'store_in_use', {
      detail:
        'The keys are in a store that another Chartgate process has open. Name them by --keys FILE: what its /.well-known/jwks.json answers.',
    });
  }
}
