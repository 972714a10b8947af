import type { Db, Tx } from '../../../platform/db/db.ts';
import { buildDisplay } from '../../entries/resource-display.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { collectReferences, rewriteReferences } from '../../store/references.ts';
import { findOpenIdentified } from './conditional-references.ts';
import { resolveReferences, type Reference } from './resolve-references.ts';
import * as openReferences from '../../store/open-references.sql.ts';
import * as statements from '../../store/resources.sql.ts';
import type { BundleIndex } from './index-bundle.ts';
import type { ImportTarget } from './build-resource-inputs.ts';
import { lockHead, computeLastUpdated } from './write-page.ts';

const PAGE = 1_000;

interface WriteContext extends ImportTarget {
  bundleIndex: BundleIndex;
  now: Date;
}

/**
 * Resolves references that were open before a batch was written (the practitioners of a hospital come in a file of their own).
 * The resources that make them are rewritten and count as changed.
 */
export async function resolveForwardReferences(
  db: Db,
  { bundleIndex, ...options }: WriteContext,
): Promise<{ rewritten: number; resolved: number }> {
  const counts = { rewritten: 0, resolved: 0 };
  const identified = await findOpenIdentified(db, options.patientId);
  const byName = (name: string): string | undefined => bundleIndex.byName(name) ?? identified.get(name);
  const target = { ...options, bundleIndex: { ...bundleIndex, byName } };
  for (let after = ''; ;) {
    const targets = (
      await db.query(openReferences.findOpenTargets(target.patientId, { after, limit: PAGE }))
    ).map((row) => row.target);
    if (targets.length === 0) return counts;
    after = targets.at(-1) as string;
    // Whichever system the reference is from: it is resolved again with each resource's own origin below.
    const resolve = await resolveReferences(
      db,
      target,
      targets.map((reference) => ({ reference, origin: null })),
    );
    const known = targets.filter((reference) => resolve({ reference, origin: null }) !== undefined);
    if (known.length === 0) continue;
    const settled = await rewriteAll(db, target, known);
    counts.rewritten += settled.rewritten;
    counts.resolved += settled.resolved;
  }
}

interface RewriteContext extends WriteContext {
  /** References that can be resolved now. */
  targets: readonly string[];
}

async function rewriteAll(
  db: Db,
  context: WriteContext,
  targets: readonly string[],
): Promise<{ rewritten: number; resolved: number }> {
  const counts = { rewritten: 0, resolved: 0 };
  for (let after = 0; ;) {
    const result = await db.tx((tx) => rewritePage(tx, { ...context, targets }, after));
    if (result === null) return counts;
    counts.rewritten += result.rewritten;
    counts.resolved += result.resolved;
    after = result.last;
  }
}

/** Rewrites some of the resources that make the references, in the order of `seq`; returns null when there are no more. */
async function rewritePage(
  tx: Tx,
  { targets, ...context }: RewriteContext,
  after: number,
): Promise<{ rewritten: number; resolved: number; last: number } | null> {
  const { patientId } = context;
  const head = await lockHead(tx, patientId);
  const rows = await tx.query(
    openReferences.findResourcesByOpenTarget(patientId, { targets, after, limit: PAGE }),
  );
  const last = rows.at(-1)?.seq;
  if (last === undefined) return null;
  const wanted = new Set(targets);
  const references = rows.map((row) =>
    [...collectReferences(row.body)]
      .filter((reference) => wanted.has(reference))
      .map((reference): Reference => ({ reference, origin: row.origin })),
  );
  const resolve = await resolveReferences(tx, context, references.flat());
  const closed: { target: string; seq: number }[] = [];
  const changed = rows.flatMap((row, index): statements.RewrittenResource[] => {
    const known = new Map(
      (references[index] ?? []).flatMap((reference) => {
        const to = resolve(reference);
        return to === undefined ? [] : [[reference.reference, to] as const];
      }),
    );
    for (const reference of known.keys()) closed.push({ target: reference, seq: row.seq });
    const body = rewriteReferences(row.body, known);
    if (body === row.body) return [];
    return [
      { seq: row.seq, body, organizationReference: buildDisplay(parseResource(body)).organizationReference },
    ];
  });
  if (changed.length > 0)
    await updateRewritten(tx, { ...context, now: computeLastUpdated(head, context.now) }, { head, changed });
  await tx.query(openReferences.deleteClosedReferences(patientId, closed));
  return { rewritten: changed.length, resolved: closed.length, last };
}

async function updateRewritten(
  tx: Tx,
  context: WriteContext,
  { head, changed }: { head: { next_seq: number }; changed: readonly statements.RewrittenResource[] },
): Promise<void> {
  const { patientId, now } = context;
  const seqs = changed.map(({ seq }) => seq);
  await tx.query(statements.insertVersions(patientId, seqs, now));
  await tx.query(statements.updateBodies(context, changed));
  await tx.query(statements.deleteRequiredLabels(patientId, seqs));
  await tx.query(statements.advanceRecord(patientId, { nextSeq: head.next_seq, added: 0, now }));
}
