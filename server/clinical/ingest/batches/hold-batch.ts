import type { PatientId } from '../../../../contract/brands.ts';
import { selectDemographics } from '../../../identity/patients/patients.sql.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import type { CollectedPerson, PersonCollector } from '../persons/collect-persons.ts';
import type { NamedOwner } from '../persons/collect-owners.ts';
import { findOthersAndOwners, type OtherPerson } from '../persons/compare-persons.ts';
import { loadKnownPersons } from '../persons/known-persons.ts';
import { expediteNext, isOpen } from './batch-line.ts';
import { deletePersons, insertPersons } from './batch-persons.sql.ts';
import { resolveReferences } from '../import/resolve-references.ts';
import * as statements from './uploads.sql.ts';

/** The batch waits for its patient's answer, and is not read further. */
export class BatchHeld extends Error {
  override name = 'BatchHeld';
}

interface HoldContext {
  patientId: PatientId;
  batch: statements.BatchRow;
  collector: PersonCollector;
  documents: statements.DocumentCounts;
}

/**
 * Whether a batch may be held, so that it is worth finding out whom it names: not what was fetched, as its patient was matched, nor
 * what the patient has confirmed, nor a test patient's.
 */
export async function mayAsk(
  { db }: { db: Db },
  { patientId }: { patientId: PatientId },
  batch: statements.BatchRow,
): Promise<boolean> {
  if (batch.source_id !== null || batch.confirmed_at !== null) return false;
  return (await maybeOne(db, selectDemographics(patientId)))?.is_test_patient === false;
}

/**
 * Holds a batch that names another person than the record, before anything of it is written; throws BatchHeld. The collector
 * of a batch that may not be held has noted nobody.
 */
export async function holdForAnswer(deps: { db: Db; clock: Clock }, context: HoldContext): Promise<void> {
  const { patientId, collector } = context;
  const owners = collector.owners.listOwners();
  if (collector.persons.length + owners.length === 0) return;
  const known = await loadKnownPersons(deps.db, patientId);
  if (!known) return;
  const strangers = await leaveOutStored(deps.db, patientId, owners);
  const others = findOthersAndOwners(collector.persons, strangers, known);
  if (others.length + countMore(collector) === 0) return;
  if (await holdBatch(deps, context, others)) throw new BatchHeld();
}

const countMore = ({ countMore: countPersons, owners }: PersonCollector): number =>
  countPersons() + owners.countMore();

/** Leaves out owners who are not in the upload and are Patients of the record: an earlier upload has brought them. */
async function leaveOutStored(
  db: Db,
  patientId: PatientId,
  owners: readonly NamedOwner[],
): Promise<NamedOwner[]> {
  const references = owners.flatMap(({ reference }) =>
    reference === null ? [] : { reference, origin: null },
  );
  if (references.length === 0) return [...owners];
  const resolve = await resolveReferences(db, { patientId, bundleIndex: NOTHING_LOCAL }, references);
  return owners.filter(
    ({ reference }) => reference === null || resolve({ reference, origin: null }) === undefined,
  );
}

const NOTHING_LOCAL = { byId: () => undefined, byName: () => undefined, connected: new Set<string>() };

/** The persons that a question names; of more it says the number. */
const MAX_NAMED = 10;

/** Returns false when the patient has said yes meanwhile. */
const holdBatch = (
  { db, clock }: { db: Db; clock: Clock },
  { patientId, batch: { batch_id: batchId }, collector, documents }: HoldContext,
  others: readonly OtherPerson<CollectedPerson>[],
): Promise<boolean> =>
  db.tx(async (tx) => {
    await tx.query(statements.lockForBatch(patientId));
    const batch = await maybeOne(tx, statements.selectBatch(patientId, batchId));
    // Gone, or held by another attempt.
    if (!batch || !isOpen(batch)) return true;
    if (batch.confirmed_at !== null) return false;
    const now = clock.now();
    const total = others.length + countMore(collector);
    await tx.query(statements.holdBatch(patientId, batchId, { now, documents, personsTotal: total }));
    await tx.query(deletePersons(patientId, batchId));
    await tx.query(insertPersons(patientId, batchId, others.slice(0, MAX_NAMED)));
    await expediteNext(tx, patientId, now);
    return true;
  });
