import type { PasskeyId, PatientId } from '../../../../contract/brands.ts';
import { maybeOne, type Tx } from '../../../platform/db/db.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { deleteOtherSessions, insertAccountEvent } from '../accounts.sql.ts';
import * as statements from './passkeys.sql.ts';

interface Removal {
  patientId: PatientId;
  /** Where it is removed. */
  device: string;
  now: Date;
}

/**
 * Removes a passkey, and ends the sessions of every other browser: it may have begun them. Throws 404 where the person has
 * none of this id.
 */
export async function removePasskey(
  tx: Tx,
  removal: Removal,
  { passkeyId, sessionHash }: { passkeyId: PasskeyId; sessionHash: Buffer },
): Promise<void> {
  const removed = await maybeOne(tx, statements.deletePasskey(removal.patientId, passkeyId));
  if (!removed) throw notFound('The passkey');
  await forget(tx, removal, removed);
  await tx.query(deleteOtherSessions(removal.patientId, sessionHash));
}

/** Removes every passkey of a person, whose sessions the caller ends; returns how many there were. */
export async function removeAllPasskeys(tx: Tx, removal: Removal): Promise<number> {
  const removed = await tx.query(statements.deleteAllPasskeys(removal.patientId));
  for (const passkey of removed) await forget(tx, removal, passkey);
  return removed.length;
}

async function forget(
  tx: Tx,
  { patientId, device, now: at }: Removal,
  { credential_id: credentialId }: { credential_id: Buffer },
): Promise<void> {
  await tx.query(statements.deleteRoute(credentialId));
  await tx.query(insertAccountEvent({ patientId, kind: 'passkey_removed', device, at }));
}
