import type { PatientId } from '../../../../contract/brands.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/db.ts';
import { createNameComparer, type NameComparer } from '../../concepts/compare-names.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import { connectEntries } from '../../entries/connect-entries.ts';
import { deleteHoldings, insertHoldings } from '../../entries/entries.sql.ts';
import { linkEntries } from '../../linkage/link-entries.ts';
import { deleteKeptAnswers } from '../../store/kept-answers.sql.ts';
import { updateAlikeIds } from '../../store/resources.sql.ts';

/** What a record is locked by: `version` counts the locks. */
export interface RecordHead {
  next_seq: number;
  version: number;
}

/** Locks the record until the transaction ends; throws when it is not the one any more that was rebuilt. */
type LockRecord = (tx: Tx) => Promise<RecordHead>;

interface FinishDeps {
  db: Db;
  getVocabulary: () => Vocabulary;
}

/** Runs some of the work, in a transaction that others may follow. */
type RunStep = <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;

/** Resources of a record of which all is finished in one transaction, which takes the embedded engine less than 0.1 s. */
const MAX_AT_ONCE = 2000;

/** Another writer may wait for the record as often; then it is finished at once. */
const MAX_TRIES = 3;

/** Somebody else wrote to the record between two steps: what was read before may be old. */
class RecordChanged extends Error {
  override name = 'RecordChanged';
}

/**
 * Computes what depends on the whole record: what its entries say about each other, links between sources, how short a
 * reference may be, the numbers of each kind. On the embedded engine a large record takes a transaction for each statement: all in
 * one held up everybody else for 2.4 s at 25,000 resources of two sources. A reader sees entries without links meanwhile, as
 * since the first of them was rebuilt.
 */
export async function finishRebuild(
  { db, getVocabulary }: FinishDeps,
  patientId: PatientId,
  lock: LockRecord,
): Promise<void> {
  const names = createNameComparer(getVocabulary);
  const finish = (step: RunStep): Promise<void> => finishIn(step, patientId, names);
  if (await finishSmall(db, lock, finish)) return;
  for (let tries = 0; tries < MAX_TRIES; tries++)
    try {
      return await finish(createSteps(db, lock));
    } catch (error) {
      if (!(error instanceof RecordChanged)) throw error;
    }
  await db.tx(async (tx) => {
    await lock(tx);
    await finish((work) => work(tx));
  });
}

/** Finishes it in one transaction, unless it is large and others wait for the engine meanwhile; says whether it did. */
const finishSmall = (db: Db, lock: LockRecord, finish: (step: RunStep) => Promise<void>): Promise<boolean> =>
  db.tx(async (tx) => {
    const head = await lock(tx);
    if (db.engine === 'embedded' && head.next_seq > MAX_AT_ONCE) return false;
    await finish((work) => work(tx));
    return true;
  });

/** Each step locks the record, and throws RecordChanged where somebody else has done so since the one before. */
function createSteps(db: Db, lock: LockRecord): RunStep {
  let seen: number | null = null;
  return async (work) => {
    const { result, version } = await db.tx(async (tx) => {
      const head = await lock(tx);
      if (seen !== null && head.version !== seen + 1) throw new RecordChanged();
      return { result: await work(tx), version: head.version };
    });
    seen = version;
    return result;
  };
}

async function finishIn(step: RunStep, patientId: PatientId, names: NameComparer): Promise<void> {
  const each: Queryable = { query: (statement) => step((tx) => tx.query(statement)) };
  await connectEntries(each, patientId, names);
  await linkEntries(each, patientId, names);
  await each.query(updateAlikeIds(patientId));
  await step(async (tx) => {
    await tx.query(deleteHoldings(patientId));
    await tx.query(insertHoldings(patientId));
    await tx.query(deleteKeptAnswers(patientId));
  });
}
