import type { Db, Tx } from '../storage/db.ts';
import { ownLabel } from './project.ts';
import { parseResource } from './parse-resource.ts';
import { referencesIn, rewriteReferences } from './references.ts';
import { resolveReferences, type Reference } from './resolve.ts';
import * as late from './late-references.sql.ts';
import * as statements from './resources.sql.ts';
import type { Survey } from './survey.ts';
import { patientGone, timeOfChange, type ImportTarget } from './write-chunk.ts';

const PAGE = 1_000;

interface Writing extends ImportTarget {
  survey: Survey;
  now: Date;
}

/**
 * After a batch is written: references of earlier documents that led nowhere may lead to what it brought (the
 * practitioners of a hospital come in a file of their own). Those resources are rewritten and count as changed.
 */
export async function resolveLateReferences(db: Db, target: Writing): Promise<number> {
  let rewritten = 0;
  for (let after = ''; ;) {
    const targets = (await db.query(late.openTargets(target.patientId, { after, most: PAGE }))).map(
      (row) => row.target,
    );
    if (targets.length === 0) return rewritten;
    after = targets.at(-1) as string;
    // Whatever server the reference is from, it can only be newly known under some name or id of the upload or the record.
    const resolve = await resolveReferences(
      db,
      target,
      targets.map((reference) => ({ reference, origin: '' })),
    );
    const known = targets.filter((reference) => resolve({ reference, origin: '' }) !== undefined);
    if (known.length > 0) rewritten += await rewriteThose(db, target, known);
  }
}

interface Waiting extends Writing {
  /** References that lead somewhere now. */
  targets: readonly string[];
}

async function rewriteThose(db: Db, writing: Writing, targets: readonly string[]): Promise<number> {
  let rewritten = 0;
  for (let after = 0; ;) {
    const done = await db.tx((tx) => rewriteSome(tx, { ...writing, targets }, after));
    if (done === null) return rewritten;
    rewritten += done.rewritten;
    after = done.last;
  }
}

/** Some of the resources that make the references, in the order of their places; null when there are no more. */
async function rewriteSome(
  tx: Tx,
  { targets, ...writing }: Waiting,
  after: number,
): Promise<{ rewritten: number; last: number } | null> {
  const { patientId } = writing;
  const [head] = await tx.query(statements.lockRecord(patientId));
  if (!head) throw patientGone();
  const rows = await tx.query(late.resourcesWithOpenTarget(patientId, { targets, after, most: PAGE }));
  const last = rows.at(-1)?.seq;
  if (last === undefined) return null;
  const wanted = new Set(targets);
  const references = rows.map((row) =>
    [...referencesIn(row.body)]
      .filter((reference) => wanted.has(reference))
      .map((reference): Reference => ({ reference, origin: row.origin })),
  );
  const resolve = await resolveReferences(tx, writing, references.flat());
  const closed: { target: string; seq: number }[] = [];
  const changed = rows.flatMap((row, index): late.Rewritten[] => {
    const known = new Map(
      (references[index] ?? []).flatMap((reference) => {
        const to = resolve(reference);
        return to === undefined ? [] : [[reference.reference, to] as const];
      }),
    );
    closed.push(...[...known.keys()].map((reference) => ({ target: reference, seq: row.seq })));
    const body = rewriteReferences(row.body, known);
    if (body === row.body) return [];
    return [
      { seq: row.seq, body, organizationReference: ownLabel(parseResource(body)).organizationReference },
    ];
  });
  if (changed.length > 0)
    await change(tx, { ...writing, now: timeOfChange(head, writing.now) }, { head, changed });
  await tx.query(late.closeReferences(patientId, closed));
  return { rewritten: changed.length, last };
}

async function change(
  tx: Tx,
  writing: Writing,
  { head, changed }: { head: { next_seq: number }; changed: readonly late.Rewritten[] },
): Promise<void> {
  const { patientId, now } = writing;
  const seqs = changed.map(({ seq }) => seq);
  await tx.query(statements.keepVersions(patientId, seqs, now));
  await tx.query(late.updateBodies(writing, changed));
  await tx.query(statements.forgetNeeds(patientId, seqs));
  await tx.query(statements.advanceRecord(patientId, { nextSeq: head.next_seq, added: 0, now }));
}
