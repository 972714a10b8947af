import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { findFetchedBatches } from '../../store/batch-resources.sql.ts';
import type { SourceIdentity } from '../../store/identity.ts';
import * as statements from '../../store/resources.sql.ts';
import { createOriginEvidence } from './origin-evidence.ts';

/** How one resource of the upload will be written, decided before any is. */
export interface ImportPlan {
  type: string;
  sourceId: string;
  /** The parts of the upload that hold it: where each says that its ids are from. */
  labels: readonly string[];
  /** Where its id is from. */
  origin: string;
  /** Its id in the record. */
  id: string;
  /** The index in the whole upload of the occurrence that counts. */
  winner: number;
  hash: string;
  /** The origin of the resource that the record had when the upload was read; null: it had none. */
  knownAs: string | null;
  /** The record has another resource under its id, from a system that nobody named. */
  hasOwnId: boolean;
  /** Nothing else of the record or of the upload had its id. */
  isFree: boolean;
  /** Resources of the record under its type and id, until it is decided whether it is one of them. */
  candidates: readonly Candidate[];
}

/** Shared by all resources that the record does not have: there may be a million. */
export const NO_CANDIDATES: readonly Candidate[] = [];

export interface Candidate {
  seq: number;
  id: string;
  origin: string;
  /** It came with the same text. */
  isAlike: boolean;
  /** A connected server sent it. */
  isConnected: boolean;
  /** Only the server that the batch is from has sent it. */
  isOfServer: boolean;
  /** An earlier attempt wrote it. */
  isOfBatch: boolean;
}

/** What the record has, as far as an upload may have it too. */
export interface KnownRecord {
  patientId: PatientId;
  batchId: BatchId;
  /** The server that the upload was fetched from, or ''. */
  origin: string;
  /** Whether the record holds anything. */
  mayKnow: boolean;
  /** The origins of batches that were fetched. */
  fetched: ReadonlyMap<BatchId, string>;
  connected: ReadonlySet<string>;
}

export async function loadKnownRecord(
  db: Queryable,
  upload: Pick<KnownRecord, 'patientId' | 'batchId' | 'origin'>,
): Promise<KnownRecord> {
  const { patientId } = upload;
  const [[has], batches] = await Promise.all([
    db.query(statements.hasResources(patientId)),
    db.query(findFetchedBatches(patientId)),
  ]);
  const fetched = new Map(batches.map((batch) => [batch.batch_id, batch.origin]));
  // Of somebody's first upload there is nothing to look up.
  return { ...upload, mayKnow: has?.has_resources === true, fetched, connected: new Set(fetched.values()) };
}

export const createPlans = () => ({
  plans: new Map<string, ImportPlan[]>(),
  names: new Map<string, ImportPlan>(),
  used: new Set<string>(),
  /** Resources that the upload holds in several texts. */
  contested: new Set<ImportPlan>(),
  /** Each label alone, shared by the plans of which it is the only one. */
  labels: new Map<string, readonly string[]>(),
  evidence: createOriginEvidence(),
  compared: 0,
  count: 0,
});

export type Plans = ReturnType<typeof createPlans>;

export const getKey = ({ type, sourceId }: Pick<SourceIdentity, 'type' | 'sourceId'>): string =>
  `${type}/${sourceId}`;
