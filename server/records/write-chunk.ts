import type { BatchId, PatientId } from '../../contract/ids.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Db, Tx } from '../storage/db.ts';
import { LOOKED_UP_TYPES } from './looked-up-types.ts';
import { matching, sourceIdentity, type SourceIdentity } from './identity.ts';
import { parseResource } from './parse-resource.ts';
import { categoryOf, ownLabel } from './project.ts';
import { referencesIn, rewriteReferences, withId } from './references.ts';
import { resolveReferences, type Reference } from './resolve.ts';
import * as statements from './resources.sql.ts';
import { hashOf, namesOf, type Located, type Survey } from './survey.ts';

export interface ImportTarget {
  patientId: PatientId;
  batchId: BatchId;
}

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
}

/** The patient was deleted while their upload was read. */
export const patientGone = (): Refusal =>
  new Refusal(410, 'patient_gone', { detail: 'The patient no longer exists.' });

interface Writing extends ImportTarget {
  origin: string;
  survey: Survey;
  now: Date;
}

/** Writes a few hundred resources, new and changed ones, in one transaction; what is there already is left alone. */
export async function writeChunk(db: Db, from: Writing, chunk: readonly Located[]): Promise<Counts> {
  const items = chunk.map((located) => ({ located, identity: sourceIdentity(located.found, from.origin) }));
  return db.tx(async (tx) => {
    const [head] = await tx.query(statements.lockRecord(from.patientId));
    if (!head) throw patientGone();
    const writing = { ...from, now: timeOfChange(head, from.now) };
    const known = await tx.query(
      statements.resourcesBySourceId(
        writing.patientId,
        items.map(({ identity }) => identity.sourceId),
      ),
    );
    const bySource = Map.groupBy(known, (row) => `${row.resource_type}/${row.source_id}`);
    const counts: Counts = { created: 0, updated: 0, unchanged: 0 };
    let nextSeq = head.next_seq;
    const created: Item[] = [];
    const changed: Item[] = [];
    for (const item of items) {
      const hash = hashOf(item.located.found.text);
      const row = matching(
        bySource.get(`${item.identity.type}/${item.identity.sourceId}`) ?? [],
        item.identity.origin,
      );
      if (!row) created.push({ ...item, hash, seq: nextSeq++ });
      else if (!row.source_hash.equals(hash)) changed.push({ ...item, hash, seq: row.seq });
      counts[outcome(row, hash, writing.batchId)]++;
    }
    await writeItems(tx, writing, { created, changed });
    if (created.length + changed.length > 0 || nextSeq > head.next_seq) {
      await tx.query(
        statements.advanceRecord(writing.patientId, { nextSeq, added: created.length, now: writing.now }),
      );
    }
    return counts;
  });
}

/**
 * A record's time goes strictly forward, whatever the clocks of its writers say: what changes after a reader looked has a
 * later `last_updated` than anything they saw, and so "what is new since then" and the pages of a traversal miss nothing.
 */
export const timeOfChange = (head: { last_synchronized_at: Date | null }, now: Date): Date =>
  new Date(Math.max(now.getTime(), (head.last_synchronized_at?.getTime() ?? 0) + 1));

/** What the batch has done to a resource, also when an earlier attempt of the same batch did it. */
function outcome(row: statements.KnownResource | undefined, hash: Buffer, batchId: BatchId): keyof Counts {
  if (!row || row.first_batch_id === batchId) return 'created';
  return row.last_batch_id === batchId || !row.source_hash.equals(hash) ? 'updated' : 'unchanged';
}

interface Item {
  located: Located;
  identity: SourceIdentity;
  hash: Buffer;
  seq: number;
}

async function writeItems(
  tx: Tx,
  writing: Writing,
  { created, changed }: { created: Item[]; changed: Item[] },
): Promise<void> {
  const items = [...created, ...changed];
  if (items.length === 0) return;
  const { patientId } = writing;
  const references = items.map((item) =>
    [...referencesIn(item.located.found.text)].map((reference): Reference => ({
      reference,
      origin: item.identity.origin,
    })),
  );
  const resolve = await resolveReferences(tx, writing, references.flat());
  const rows = items.map((item, index) =>
    rowOf(item, writing.survey, mapOf(references[index] ?? [], resolve)),
  );
  if (created.length > 0) await tx.query(statements.insertResources(writing, rows.slice(0, created.length)));
  if (changed.length > 0) {
    const seqs = changed.map(({ seq }) => seq);
    await tx.query(statements.keepVersions(patientId, seqs, writing.now));
    await tx.query(statements.updateResources(writing, rows.slice(created.length)));
    await tx.query(statements.forgetNeeds(patientId, seqs));
    await tx.query(statements.forgetNames(patientId, seqs));
    await tx.query(statements.forgetOpenReferences(patientId, seqs));
  }
  const names = items.flatMap(({ located, seq }) => namesToKeep(located, seq));
  if (names.length > 0) await tx.query(statements.insertNames(patientId, names));
  const open = items.flatMap(({ seq }, index) =>
    (references[index] ?? [])
      .filter((reference) => resolve(reference) === undefined)
      .map(({ reference }) => ({ target: reference, seq })),
  );
  if (open.length > 0) await tx.query(statements.insertOpenReferences(patientId, open));
}

/** `urn:uuid:X` of a resource with the id X need not be kept: the id itself is looked up. */
const namesToKeep = ({ found }: Located, seq: number): { name: string; seq: number }[] =>
  namesOf(found)
    .filter((name) => name !== `urn:uuid:${String(found.resource.id).toLowerCase()}`)
    .map((name) => ({ name, seq }));

function mapOf(
  references: readonly Reference[],
  resolve: (reference: Reference) => string | undefined,
): Map<string, string> {
  const known = references.flatMap((reference) => {
    const to = resolve(reference);
    return to === undefined || to === reference.reference ? [] : [[reference.reference, to] as const];
  });
  return new Map(known);
}

function rowOf(
  { located, identity, hash, seq }: Item,
  survey: Survey,
  resolved: ReadonlyMap<string, string>,
): statements.ResourceToWrite {
  const { text, resource } = located.found;
  const id = survey.planned(identity)?.id ?? identity.sourceId;
  const rewritten = rewriteReferences(text, resolved);
  // Only a reference that was rewritten tells that it means an organization; `urn:uuid:…` does not.
  const reread = rewritten !== text && LOOKED_UP_TYPES.has(identity.type);
  const { label, code, organizationDisplay, organizationReference } = ownLabel(
    reread ? parseResource(rewritten) : resource,
  );
  return {
    seq,
    type: identity.type,
    id,
    origin: identity.origin,
    sourceId: identity.sourceId,
    category: categoryOf(resource),
    body: resource.id === id ? rewritten : withId(rewritten, id),
    sourceHash: hash,
    label,
    labelCode: code,
    organization: organizationDisplay,
    organizationReference,
    documentPath: located.path,
  };
}
