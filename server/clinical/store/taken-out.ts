import { createHash } from 'node:crypto';
import type { BatchId, PatientId, SourceId } from '../../../contract/brands.ts';
import type { Queryable, Tx } from '../../platform/db/db.ts';
import { canonicalizeJson } from './canonical-json.ts';
import { hashText } from './identity.ts';
import { collectReferences, rewriteReferences } from './references.ts';
import * as statements from './taken-out.sql.ts';

/** A resource as a connected server has it. */
export interface FetchedResource {
  type: string;
  sourceId: string;
  text: string;
}

/** What a patient took out of a connected server's data. */
export interface TakenOut {
  size: number;
  /** Says whether a resource was taken out: `unchanged` where the server still has the content that was. */
  compare(resource: FetchedResource): { resourceHash: Buffer; isUnchanged: boolean } | null;
}

/** The hashes of large contents, by `seq`: of the bytes, and of the content however it is spelled. */
export type LargeContents = ReadonlyMap<number, { hash: Buffer; content: Buffer | null }>;

/** Hashes the contents that are too large to be compared while the record is locked; they may be others by then. */
export async function hashLargeContents(
  db: Queryable,
  patientId: PatientId,
  seqs: readonly number[],
): Promise<LargeContents> {
  const contents = new Map<number, { hash: Buffer; content: Buffer | null }>();
  for (const { seq } of await db.query(statements.findLarge(patientId, seqs))) {
    const [row] = await db.query(statements.findContent(patientId, seq));
    if (row) contents.set(seq, { hash: row.hash, content: hashContent(patientId, row.body) });
  }
  return contents;
}

/** Remembers what a batch brought, where a connected server sent it, of resources that are about to be taken out. */
export async function rememberTakenOut(
  tx: Tx,
  { patientId, batchId }: { patientId: PatientId; batchId: BatchId },
  { seqs, large }: { seqs: readonly number[]; large: LargeContents },
): Promise<void> {
  const fetched = await tx.query(statements.findFetched(patientId, batchId, seqs));
  const [first] = fetched;
  if (!first) return;
  const rows = fetched.flatMap(({ seq, resource_type: type, name, hash, body }) => {
    const resourceHash = digest(patientId, `${type}/${name}`);
    const known = large.get(seq);
    const ofLarge = known?.hash.equals(hash) === true ? known.content : null;
    const content = body === null ? ofLarge : hashContent(patientId, body);
    return [hashBytes(patientId, hash), ...(content ? [content] : [])].map((contentHash) => ({
      resourceHash,
      contentHash,
    }));
  });
  const hashes = rows.map(({ resourceHash }) => resourceHash);
  await tx.query(statements.deleteTakenOut(patientId, first.source_id, hashes));
  await tx.query(statements.insertTakenOut(patientId, first.source_id, rows));
}

/** Loads what a patient took out of the data of a source. */
export async function loadTakenOut(
  db: Queryable,
  patientId: PatientId,
  sourceId: SourceId,
): Promise<TakenOut> {
  const contents = new Map<string, Set<string>>();
  for (const row of await db.query(statements.findTakenOut(patientId, sourceId))) {
    const key = row.resource_hash.toString('base64');
    const known = contents.get(key) ?? new Set();
    contents.set(key, known.add(row.content_hash.toString('base64')));
  }
  return {
    size: contents.size,
    compare({ type, sourceId: id, text }) {
      const resourceHash = digest(patientId, `${type}/${id}`);
      const known = contents.get(resourceHash.toString('base64'));
      if (!known) return null;
      const has = (hash: Buffer | null): boolean => hash !== null && known.has(hash.toString('base64'));
      const isUnchanged = has(hashBytes(patientId, hashText(text))) || has(hashContent(patientId, text));
      return { resourceHash, isUnchanged };
    },
  };
}

/** The patient's id makes it a hash that says nothing of anybody else's. */
const digest = (patientId: PatientId, text: string): Buffer =>
  createHash('sha256').update(`${patientId}|${text}`).digest();

const hashBytes = (patientId: PatientId, hash: Buffer): Buffer => digest(patientId, hash.toString('hex'));

const TARGET = /(?<![A-Za-z])([A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64})(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/;

/** Returns `Type/id` of what a reference of a server leads to, without the version; null where it ends otherwise. */
export const readTarget = (reference: string): string | null => TARGET.exec(reference)?.[1] ?? null;

const VERSION = /"(?:lastUpdated|versionId)":"[^"\\]*",?/g;

/**
 * Hashes the content however it is spelled: with references as the record writes them, and without what numbers its versions, since
 * some servers count a version at each answer. Null where it is too deep to compare.
 */
function hashContent(patientId: PatientId, text: string): Buffer | null {
  const targets = new Map(
    [...collectReferences(text)].map((reference) => [reference, readTarget(reference) ?? reference]),
  );
  try {
    const content = canonicalizeJson(rewriteReferences(text, targets)).replace(VERSION, '');
    return digest(patientId, content);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
