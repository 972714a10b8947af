import type { PatientId } from '../../../../contract/brands.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import * as openReferences from '../../store/open-references.sql.ts';
import * as statements from '../../store/resources.sql.ts';
import { buildResourceInputs, type Item, type PageItem, type WriteContext } from './build-resource-inputs.ts';
import { getKey, type ImportPlan } from './import-plan.ts';
import type { KnownResource } from './keep-bringers.ts';
import { countKnown, settleKnown, type PageOutcome } from './settle-known.ts';

/** The refusal for a patient who was deleted while their upload was read. */
export const createPatientGoneRefusal = (): Refusal =>
  new Refusal(410, 'patient_gone', { detail: 'The patient no longer exists.' });

/** Also of an error that another thread has sent. */
export const isPatientGone = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === 'patient_gone';

/**
 * Writes a few hundred resources in one transaction: new and changed ones; unchanged ones are left alone. Calls `onSent` when
 * what it writes is on its way.
 */
export async function writePage(
  db: Db,
  from: WriteContext,
  { items, onSent }: { items: readonly PageItem[]; onSent(): void },
): Promise<PageOutcome> {
  db.capacity.require('uploads');
  return db.tx(async (tx) => {
    const sourceIds = items.map(({ facts }) => facts.identity.sourceId);
    const [head, stored] = await Promise.all([
      lockHead(tx, from.patientId),
      tx.query(statements.findResourcesBySourceId(from.patientId, sourceIds)),
      from.requireOpen?.(tx),
    ]);
    const context = { ...from, now: computeLastUpdated(head, from.now) };
    const bySource = Map.groupBy(stored, (row) => `${row.resource_type}/${row.source_id}`);
    const counts: PageOutcome = { created: 0, updated: 0, unchanged: 0, older: [] };
    let nextSeq = head.next_seq;
    const created: Item[] = [];
    const known: (Item & KnownResource)[] = [];
    for (const { text, facts, linked } of items) {
      const item = { text, facts, linked, hash: Buffer.from(facts.hash, 'base64') };
      const row = findRow(bySource.get(getKey(facts.identity)) ?? [], context.bundleIndex.findPlan(facts));
      if (!row) created.push({ ...item, seq: nextSeq++ });
      else known.push({ ...item, seq: row.seq, row });
    }
    counts.created = created.length;
    const { changed, older } = await settleKnown(tx, context, known);
    countKnown(counts, known, { changed, older, batchId: context.batchId });
    if (created.length + changed.length > 0)
      await writeItems(tx, context, { created, changed, nextSeq, onSent });
    return counts;
  });
}

/** Finds the resource that was planned to be written over, or that an earlier attempt has written. */
const findRow = (
  rows: readonly statements.KnownResourceRow[],
  plan: ImportPlan | undefined,
): statements.KnownResourceRow | undefined =>
  rows.find(({ origin }) => origin === plan?.knownAs) ?? rows.find(({ origin }) => origin === plan?.origin);

/** Locks a record until the transaction ends; throws when the patient was deleted meanwhile. */
export async function lockHead(tx: Tx, patientId: PatientId): Promise<statements.RecordHeadRow> {
  const [head] = await tx.query(statements.lockRecord(patientId));
  if (!head) throw createPatientGoneRefusal();
  return head;
}

/**
 * Returns the time of a change. A record's time goes strictly forward, whatever the clocks of its writers say: a change after a
 * reading has a later `last_updated` than anything read, so that `_since` and the pages of a traversal miss nothing.
 */
export const computeLastUpdated = (head: { last_synchronized_at: Date | null }, now: Date): Date =>
  new Date(Math.max(now.getTime(), (head.last_synchronized_at?.getTime() ?? 0) + 1));

/** What it writes is sent at once: no statement needs the answer of another. */
async function writeItems(
  tx: Tx,
  context: WriteContext,
  {
    created,
    changed,
    nextSeq,
    onSent,
  }: { created: Item[]; changed: Item[]; nextSeq: number; onSent(): void },
): Promise<void> {
  const items = [...created, ...changed];
  const { patientId, now } = context;
  const { rows, open } = await buildResourceInputs(tx, context, items);
  const names = items.flatMap(listIdentifiers);
  const added = created.length;
  const written = Promise.all([
    added > 0 && tx.query(statements.insertResources(context, rows.slice(0, added))),
    ...(changed.length > 0 ? replaceResources(tx, context, { changed, rows: rows.slice(added) }) : []),
    names.length > 0 && tx.query(statements.insertIdentifiers(patientId, names)),
    open.length > 0 && tx.query(openReferences.insertOpenReferences(patientId, open)),
    tx.query(statements.advanceRecord(patientId, { nextSeq, added, now })),
  ]);
  onSent();
  await written;
}

/** Keeps what changed resources were, and takes away what was stored of that. */
function replaceResources(
  tx: Tx,
  context: WriteContext,
  { changed, rows }: { changed: readonly Item[]; rows: readonly statements.ResourceInput[] },
): Promise<unknown>[] {
  const { patientId } = context;
  const seqs = changed.map(({ seq }) => seq);
  return [
    tx.query(statements.insertVersions(patientId, seqs, context.now)),
    tx.query(statements.updateResources(context, rows)),
    tx.query(statements.deleteRequiredLabels(patientId, seqs)),
    tx.query(statements.deleteIdentifiers(patientId, seqs)),
    tx.query(openReferences.deleteOpenReferences(patientId, seqs)),
  ];
}

/** `urn:uuid:X` of a resource with the id X need not be kept: the id itself is looked up. */
const listIdentifiers = ({ facts, seq }: Item): { name: string; seq: number }[] =>
  facts.names.filter((name) => name !== `urn:uuid:${facts.id?.toLowerCase()}`).map((name) => ({ name, seq }));
