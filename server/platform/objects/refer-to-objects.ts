import { createHash } from 'node:crypto';
import { stringify } from 'uuid';
import type { PatientId } from '../../../contract/brands.ts';
import { maybeOne, type Tx } from '../db/db.ts';
import * as statements from './objects.sql.ts';

/** Content that is durable in the object store, and that no row refers to yet. */
export interface PlacedObject {
  patientId: PatientId;
  objectId: string;
  use: statements.ObjectUse;
  encoding: statements.ObjectEncoding;
  size: number;
  contentKey: Buffer;
  /** null: the content is there already, under a row of its own. */
  key: string | null;
}

/** What was placed has been deleted since, or is about to be: place it anew. */
export class PlacedObjectGone extends Error {
  override name = 'PlacedObjectGone';
}

/** Before an object that nobody refers to is deleted, nobody refers to it any more. */
const MARGIN_MS = 3600 * 1000;

/** Derives the id of a content: the same content of one patient has one, and nobody learns whether another patient has it too. */
export function deriveObjectId(patientId: PatientId, kind: 'original' | 'picture', sha256: Buffer): string {
  const hash = createHash('sha256').update(`${patientId} ${kind} `).update(sha256).digest().subarray(0, 16);
  // A UUID of version 8 (RFC 9562 §5.8).
  hash[6] = ((hash[6] as number) & 0x0f) | 0x80;
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80;
  return stringify(hash);
}

/** Keeps an object in the transaction of the row that refers to it. Throws PlacedObjectGone. */
export async function keepObject(tx: Tx, placed: PlacedObject, now: Date): Promise<void> {
  const { patientId, objectId, key } = placed;
  await tx.query(statements.lockObjects(patientId));
  if (key === null) {
    if ((await maybeOne(tx, statements.selectObject(patientId, objectId))) === null)
      throw new PlacedObjectGone();
    return;
  }
  const notBefore = new Date(now.getTime() + MARGIN_MS);
  if ((await maybeOne(tx, statements.cancelDeletion(key, notBefore))) === null) throw new PlacedObjectGone();
  const kept = await maybeOne(tx, statements.insertObject(patientId, { ...placed, key, now }));
  // The same content came at the same time, and is kept: one of the two is enough.
  if (kept === null) await tx.query(statements.scheduleDeletion(key, now));
}

/** Keeps drafts as the evidence of a decision, in its transaction. */
export async function keepAsEvidence(
  tx: Tx,
  patientId: PatientId,
  objectIds: readonly string[],
): Promise<void> {
  if (objectIds.length === 0) return;
  const kept = await tx.query(statements.keepAsEvidence(patientId, objectIds));
  if (kept.length < new Set(objectIds).size) throw new Error('a picture of a draft is in no store');
}

interface Released {
  patientId: PatientId;
  objectIds: readonly string[];
  /** Another use is never deleted. */
  uses: readonly statements.ObjectUse[];
  now: Date;
}

/**
 * Deletes objects in the transaction in which rows that referred to them were deleted, except those that `findUsed` finds to be
 * referred to still. It is called under a lock, so that nobody begins to meanwhile.
 */
export async function releaseObjects(
  tx: Tx,
  { patientId, objectIds, uses, now }: Released,
  findUsed?: () => Promise<readonly string[]>,
): Promise<void> {
  if (objectIds.length === 0) return;
  await tx.query(statements.lockObjects(patientId));
  const used = new Set(await findUsed?.());
  const unused = objectIds.filter((id) => !used.has(id));
  if (unused.length > 0)
    await tx.query(statements.deleteObjects(patientId, { objectIds: unused, uses, now }));
}

/** Deletes all objects of a patient who is deleted, in that transaction; `keepEvidence` keeps those of their decisions. */
export async function deleteObjectsOfPatient(
  tx: Tx,
  patientId: PatientId,
  { keepEvidence, now }: { keepEvidence: boolean; now: Date },
): Promise<void> {
  await tx.query(statements.lockObjects(patientId));
  const uses = ['archive', 'original', 'draft', ...(keepEvidence ? [] : (['evidence'] as const))] as const;
  await tx.query(statements.deleteObjectsOfUses(patientId, uses, now));
}
