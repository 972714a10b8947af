import type { Tx } from '../../../platform/db/db.ts';
import { findNewerBrought, insertBatchResources, insertReplaced } from '../../store/batch-resources.sql.ts';
import type { KnownResourceRow, WriteContext } from '../../store/resources.sql.ts';

/** A resource of an upload that the record has already. */
export interface KnownResource {
  seq: number;
  hash: Buffer;
  row: KnownResourceRow;
}

/**
 * Notes that the batch brought what the record had already, and keeps what it changes, so that either batch can be taken
 * out again. What a connected server replaces of its own is not kept: it may change at every fetch.
 */
export async function keepBringers(
  tx: Tx,
  context: WriteContext & { origin: string },
  {
    known,
    changedSeqs,
    olderSeqs,
  }: {
    known: readonly KnownResource[];
    changedSeqs: ReadonlySet<number>;
    /** What it brings is older than what the record has, which stays. */
    olderSeqs: ReadonlySet<number>;
  },
): Promise<void> {
  const ofOthers = known.filter(({ row }) => row.first_batch_id !== context.batchId);
  if (ofOthers.length === 0) return;
  const brought = ofOthers.map(({ row, seq, hash }) => ({
    seq,
    firstBatchId: row.first_batch_id,
    knownHash: row.source_hash,
    sourceHash: changedSeqs.has(seq) || olderSeqs.has(seq) ? hash : row.source_hash,
  }));
  await tx.query(insertBatchResources(context, brought));
  const replaced = ofOthers.filter(
    ({ seq, row }) => changedSeqs.has(seq) && (context.origin === '' || row.origin !== context.origin),
  );
  const seqs = replaced.map(({ seq }) => seq);
  if (seqs.length > 0) await tx.query(insertReplaced(context.patientId, seqs));
}

/** Finds what a batch that was acknowledged later has brought already: its content is the newer one, and stays. */
export async function findOlder(
  tx: Tx,
  context: WriteContext,
  known: readonly { seq: number }[],
): Promise<ReadonlySet<number>> {
  if (known.length === 0) return new Set();
  const seqs = known.map(({ seq }) => seq);
  return new Set((await tx.query(findNewerBrought(context, seqs))).map(({ seq }) => seq));
}
