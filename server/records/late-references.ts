import type { Db } from '../storage/db.ts';
import { ownLabel } from './project.ts';
import { parseResource } from './parse-resource.ts';
import { referencesIn, rewriteReferences } from './references.ts';
import { resolveReferences, type Reference } from './resolve.ts';
import * as statements from './resources.sql.ts';
import type { Survey } from './survey.ts';
import { patientGone, type ImportTarget } from './write-chunk.ts';

const PAGE = 1_000;

/**
 * After a batch is written: references of earlier documents that led nowhere may lead to what it brought (the
 * practitioners of a hospital come in a file of their own). Those resources are rewritten and count as changed.
 */
export async function resolveLateReferences(
  db: Db,
  target: ImportTarget & { survey: Survey; now: Date },
): Promise<number> {
  let rewritten = 0;
  for (let after = ''; ;) {
    const targets = (await db.query(statements.openTargets(target.patientId, { after, most: PAGE }))).map(
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

function rewriteThose(
  db: Db,
  target: ImportTarget & { survey: Survey; now: Date },
  targets: readonly string[],
): Promise<number> {
  const { patientId } = target;
  return db.tx(async (tx) => {
    if ((await tx.query(statements.lockRecord(patientId))).length === 0) throw patientGone();
    const rows = await tx.query(statements.resourcesWithOpenTarget(patientId, targets));
    const wanted = new Set(targets);
    const references = rows.map((row) =>
      [...referencesIn(row.body)]
        .filter((reference) => wanted.has(reference))
        .map((reference): Reference => ({ reference, origin: row.origin })),
    );
    const resolve = await resolveReferences(tx, target, references.flat());
    const closed: { target: string; seq: number }[] = [];
    const changed = rows.flatMap((row, index): statements.Rewritten[] => {
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
    if (changed.length > 0) {
      await tx.query(statements.updateBodies(target, changed));
      await tx.query(
        statements.forgetNeeds(
          patientId,
          changed.map(({ seq }) => seq),
        ),
      );
    }
    await tx.query(statements.closeReferences(patientId, closed));
    return changed.length;
  });
}
