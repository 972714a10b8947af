import type { PatientId } from '../../../contract/brands.ts';
import type { Tx } from '../../platform/db/db.ts';
import { applyNames, borrowNames } from './borrowed-names.ts';
import { computeContext } from './entry-context.ts';
import * as statements from './entry-context.sql.ts';

/** Stores what the entries of a record say about each other, once all of them are built. */
export async function connectEntries(tx: Tx, patientId: PatientId): Promise<void> {
  const linking = (await tx.query(statements.findLinkingEntries(patientId))).map(statements.toLinkedEntry);
  const known = new Set(linking.map(({ reference }) => reference));
  const targets = new Set(linking.flatMap(({ links }) => links.map(({ target }) => target)));
  const missing = [...targets].filter((target) => !known.has(target));
  const linked = (await tx.query(statements.findLinkedEntries(patientId, missing))).map(
    statements.toLinkedEntry,
  );
  const named = borrowNames([...linking, ...linked]);
  if (named.length > 0) await tx.query(statements.updateNames(patientId, named));
  const { contexts, listedBy } = computeContext(applyNames([...linking, ...linked], named));
  await tx.query(statements.upsertContexts(patientId, contexts));
  if (listedBy.length > 0) await tx.query(statements.updateListedBy(patientId, listedBy));
}
