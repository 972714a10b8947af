import type { PatientId } from '../../../contract/brands.ts';
import type { Queryable } from '../../platform/db/db.ts';
import { paginate } from '../../platform/kernel/paginate.ts';
import type { NameComparer } from '../concepts/compare-names.ts';
import { applyNames, borrowNames } from './borrowed-names.ts';
import { separateContradicting } from './contradicting-names.ts';
import { computeContext } from './entry-context.ts';
import * as statements from './entry-context.sql.ts';

/** Stores what the entries of a record say about each other, once all of them are built. */
export async function connectEntries(
  on: Queryable,
  patientId: PatientId,
  names: NameComparer,
): Promise<void> {
  const linking = (await on.query(statements.findLinkingEntries(patientId))).map(statements.toLinkedEntry);
  const known = new Set(linking.map(({ reference }) => reference));
  const links = linking.flatMap((entry) => entry.links);
  // What contains a result has its reference, and may refer to nothing itself.
  const containers = new Set(links.flatMap(({ role, target }) => (role === 'within' ? target : [])));
  const missing = [...new Set(links.map(({ target }) => target))].filter(
    (target) => !known.has(target) || containers.has(target),
  );
  const linked = (await on.query(statements.findLinkedEntries(patientId, missing))).map(
    statements.toLinkedEntry,
  );
  const named = borrowNames([...linking, ...linked]);
  for (const page of paginate(named, PAGE)) await on.query(statements.updateNames(patientId, page));
  const shared = await on.query(statements.findSharedKeys(patientId));
  for (const page of paginate(separateContradicting(shared, names), PAGE))
    await on.query(statements.updateGroupKeys(patientId, page));
  const { contexts, listedBy } = computeContext(applyNames([...linking, ...linked], named));
  await on.query(statements.upsertContexts(patientId, contexts));
  for (const page of paginate(listedBy, PAGE)) await on.query(statements.updateListedBy(patientId, page));
}

/** Entries that one statement changes. */
const PAGE = 1000;
