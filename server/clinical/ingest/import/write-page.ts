import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { LOOKED_UP_TYPES } from '../../store/looked-up-types.ts';
import { findByOrigin } from '../../store/identity.ts';
import { isSameJson } from '../../store/canonical-json.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { buildDisplay } from '../../entries/resource-display.ts';
import { replaceId } from '../../store/references.ts';
import { resolveReferences } from './resolve-references.ts';
import * as openReferences from '../../store/open-references.sql.ts';
import * as statements from '../../store/resources.sql.ts';
import { insertOlder } from '../../store/batch-resources.sql.ts';
import { findOlder, keepBringers, type KnownResource } from './keep-bringers.ts';
import type { BundleIndex } from './index-bundle.ts';
import { createLinker, type LinkedText } from './link-resource.ts';
import type { SpooledResource } from './resource-spool.ts';

export interface ImportTarget {
  patientId: PatientId;
  batchId: BatchId;
}

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
}

/** The refusal for a patient who was deleted while their upload was read. */
export const createPatientGoneRefusal = (): Refusal =>
  new Refusal(410, 'patient_gone', { detail: 'The patient no longer exists.' });

interface WriteContext extends ImportTarget {
  origin: string;
  bundleIndex: BundleIndex;
  now: Date;
  requireOpen?(tx: Tx): Promise<void>;
}

/** A resource on its way into the record. */
export interface PageItem extends SpooledResource {
  /** Made while the page before is written; null: of what the record seems to have already, which is seldom written. */
  linked: LinkedText | null;
}

/**
 * Writes a few hundred resources in one transaction: new and changed ones; unchanged ones are left alone. Calls `onSent` when
 * what it writes is on its way.
 */
export async function writePage(
  db: Db,
  from: WriteContext,
  { items, onSent }: { items: readonly PageItem[]; onSent(): void },
): Promise<Counts> {
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
    const counts: Counts = { created: 0, updated: 0, unchanged: 0 };
    let nextSeq = head.next_seq;
    const created: Item[] = [];
    const known: (Item & KnownResource)[] = [];
    for (const { text, facts, linked } of items) {
      const { type, sourceId, origin } = facts.identity;
      const item = { text, facts, linked, hash: Buffer.from(facts.hash, 'base64') };
      const row = findByOrigin(bySource.get(`${type}/${sourceId}`) ?? [], origin);
      if (!row) created.push({ ...item, seq: nextSeq++ });
      else known.push({ ...item, seq: row.seq, row });
    }
    counts.created = created.length;
    const changed = await settleKnown(tx, context, known);
    const changedSeqs = new Set(changed.map(({ seq }) => seq));
    for (const { row, seq } of known) counts[classifyChange(row, changedSeqs.has(seq), context.batchId)]++;
    if (created.length + changed.length > 0)
      await writeItems(tx, context, { created, changed, nextSeq, onSent });
    return counts;
  });
}

/** Locks a record until the transaction ends; throws when the patient was deleted meanwhile. */
export async function lockHead(tx: Tx, patientId: PatientId): Promise<statements.RecordHeadRow> {
  const [head] = await tx.query(statements.lockRecord(patientId));
  if (!head) throw createPatientGoneRefusal();
  return head;
}

/** Notes that the batch brings what the record has already, and returns what it changes of it. */
async function settleKnown<Known extends Item & KnownResource>(
  tx: Tx,
  context: WriteContext,
  known: readonly Known[],
): Promise<Known[]> {
  const respelled = known.filter(({ row, hash }) => !row.source_hash.equals(hash));
  const same = await findSameContent(tx, context, respelled);
  const differing = respelled.filter(({ seq }) => !same.has(seq));
  const olderSeqs = await findOlder(tx, context, differing);
  const [older, changed] = [true, false].map((isOlder) =>
    differing.filter(({ seq }) => olderSeqs.has(seq) === isOlder),
  ) as [Known[], Known[]];
  const changedSeqs = new Set(changed.map(({ seq }) => seq));
  await keepBringers(tx, context, { known, changedSeqs, olderSeqs });
  await keepOlder(tx, context, older);
  return changed;
}

/** Keeps older content for the case that the newer is taken out. */
async function keepOlder(tx: Tx, context: WriteContext, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return;
  const { rows } = await buildResourceInputs(tx, context, items);
  await tx.query(insertOlder(context.patientId, rows));
}

/**
 * Returns the time of a change. A record's time goes strictly forward, whatever the clocks of its writers say: a change after a
 * reading has a later `last_updated` than anything read, so that `_since` and the pages of a traversal miss nothing.
 */
export const computeLastUpdated = (head: { last_synchronized_at: Date | null }, now: Date): Date =>
  new Date(Math.max(now.getTime(), (head.last_synchronized_at?.getTime() ?? 0) + 1));

/** Classifies what the batch did to a resource, also when an earlier attempt of the same batch did it. */
function classifyChange(
  row: statements.KnownResourceRow,
  isChanged: boolean,
  batchId: BatchId,
): keyof Counts {
  if (row.first_batch_id === batchId) return 'created';
  return row.last_batch_id === batchId || isChanged ? 'updated' : 'unchanged';
}

/**
 * Finds the resources that are stored with the same content in another spelling (indentation, order of keys, escapes). They
 * are compared as they would be stored, references resolved, so that nothing besides the body need be kept for it.
 */
async function findSameContent(tx: Tx, context: WriteContext, items: readonly Item[]): Promise<Set<number>> {
  const same = new Set<number>();
  const bySeq = new Map(items.map((item) => [item.seq, item]));
  for (let left = [...bySeq.keys()].sort((a, b) => a - b); left.length > 0;) {
    const rows = await tx.query(statements.findResourcesBySeq(context.patientId, left));
    const last = rows.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
    left = left.filter((seq) => seq > last);
    const stored = rows.flatMap((row) => bySeq.get(row.seq) ?? []);
    const inputs = await buildResourceInputs(tx, context, stored);
    const bodies = new Map(inputs.rows.map(({ seq, body }) => [seq, body]));
    for (const { seq, body } of rows) if (isSameJson(bodies.get(seq) ?? '', body)) same.add(seq);
  }
  return same;
}

interface Item extends PageItem {
  hash: Buffer;
  seq: number;
}

/** Builds the rows of resources, with references resolved as far as the record and the upload hold their targets. */
async function buildResourceInputs(tx: Tx, context: WriteContext, items: readonly Item[]) {
  const link = createLinker(context.bundleIndex);
  const linkedItems = items.map((item) => ({ ...item, linked: item.linked ?? link(item) }));
  const resolve = await resolveReferences(
    tx,
    context,
    linkedItems.flatMap(({ linked }) => linked.missing),
  );
  const rows = linkedItems.map((item) =>
    buildResourceInput(item, context.bundleIndex, item.linked.relink(resolve)),
  );
  const open = linkedItems.flatMap(({ seq, linked }) =>
    linked.missing
      .filter((reference) => resolve(reference) === undefined)
      .map(({ reference }) => ({ target: reference, seq })),
  );
  return { rows, open };
}

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

function buildResourceInput(
  { text, facts, hash, seq }: Item,
  bundleIndex: BundleIndex,
  rewritten: string,
): statements.ResourceInput {
  const { identity } = facts;
  const id = bundleIndex.findPlan(identity)?.id ?? identity.sourceId;
  // Only a rewritten reference shows that it means an organization; `urn:uuid:…` does not.
  const reread = rewritten !== text && LOOKED_UP_TYPES.has(identity.type);
  const { display, code, organizationDisplay, organizationReference } = reread
    ? buildDisplay(parseResource(rewritten))
    : facts.display;
  return {
    seq,
    type: identity.type,
    id,
    origin: identity.origin,
    sourceId: identity.sourceId,
    category: facts.category,
    body: facts.id === id ? rewritten : replaceId(rewritten, id),
    sourceHash: hash,
    display,
    displayCode: code,
    organization: organizationDisplay,
    organizationReference,
    documentPath: facts.path,
    period: facts.period,
  };
}
