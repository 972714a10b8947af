import type { BatchId } from '../../../../contract/brands.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { insertOlder } from '../../store/batch-resources.sql.ts';
import { isSameJson } from '../../store/canonical-json.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { isOlderVersion, trustTime } from '../../store/plan-removal.ts';
import { findResourcesBySeq, type KnownResourceRow } from '../../store/resources.sql.ts';
import { buildResourceInputs, type Item, type WriteContext } from './build-resource-inputs.ts';
import { findOlder, keepBringers, type KnownResource } from './keep-bringers.ts';
import { readLastUpdated } from './read-facts.ts';
import type { Overridden } from './settle-duplicates.ts';

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
}

/** What a page came to. */
export interface PageOutcome extends Counts {
  /** Where resources stand of which the record has a newer version, which stays. */
  older: Overridden[];
}

/** Notes that the batch brings what the record has already, and returns what it changes of it. */
export async function settleKnown<Known extends Item & KnownResource>(
  tx: Tx,
  context: WriteContext,
  known: readonly Known[],
): Promise<{ changed: Known[]; older: Known[] }> {
  const respelled = known.filter(({ row, hash }) => !row.source_hash.equals(hash));
  const stored = await compareStored(tx, context, respelled);
  const differing = respelled.filter(({ seq }) => stored.get(seq)?.isSame !== true);
  const acknowledgedBefore = await findOlder(tx, context, differing);
  const compareTimes = (one: string, other: string): boolean | null =>
    isOlderVersion(trustTime(one, context.now), trustTime(other, context.now));
  const isOlder = ({ seq, facts }: Known): boolean => {
    // A connected server says what is so now, whatever it said before.
    const byTime =
      context.origin === '' ? compareTimes(facts.lastUpdated, stored.get(seq)?.lastUpdated ?? '') : null;
    return byTime ?? acknowledgedBefore.has(seq);
  };
  const older = differing.filter(isOlder);
  const olderSeqs = new Set(older.map(({ seq }) => seq));
  const changed = differing.filter(({ seq }) => !olderSeqs.has(seq));
  const changedSeqs = new Set(changed.map(({ seq }) => seq));
  await keepBringers(tx, context, { known, changedSeqs, olderSeqs });
  await keepOlder(tx, context, older);
  return { changed, older };
}

/** Keeps older content for the case that the newer is taken out. */
async function keepOlder(tx: Tx, context: WriteContext, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return;
  const { rows } = await buildResourceInputs(tx, context, items);
  await tx.query(insertOlder(context.patientId, rows));
}

interface StoredContent {
  /** The same, in another spelling. */
  isSame: boolean;
  /** `meta.lastUpdated` in UTC, or ''. */
  lastUpdated: string;
}

/**
 * Says of stored resources whether their content is the same in another spelling (indentation, order of keys, escapes), and when
 * it was last updated. They are compared as they would be stored, references resolved, so that nothing besides the body need
 * be kept for it.
 */
async function compareStored(
  tx: Tx,
  context: WriteContext,
  items: readonly Item[],
): Promise<Map<number, StoredContent>> {
  const compared = new Map<number, StoredContent>();
  const bySeq = new Map(items.map((item) => [item.seq, item]));
  for (let left = [...bySeq.keys()].sort((a, b) => a - b); left.length > 0;) {
    const rows = await tx.query(findResourcesBySeq(context.patientId, left));
    const last = rows.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
    left = left.filter((seq) => seq > last);
    const stored = rows.flatMap((row) => bySeq.get(row.seq) ?? []);
    const inputs = await buildResourceInputs(tx, context, stored);
    const bodies = new Map(inputs.rows.map(({ seq, body }) => [seq, body]));
    for (const { seq, body } of rows)
      compared.set(seq, {
        isSame: isSameJson(bodies.get(seq) ?? '', body),
        lastUpdated: readLastUpdated(parseResource(body)),
      });
  }
  return compared;
}

/** Counts what becomes of resources that the record had; what it has in a newer version is listed instead. */
export function countKnown<Known extends Item & KnownResource>(
  counts: PageOutcome,
  known: readonly Known[],
  { changed, older, batchId }: { changed: readonly Known[]; older: readonly Known[]; batchId: BatchId },
): void {
  const [changedSeqs, olderSeqs] = [changed, older].map((items) => new Set(items.map(({ seq }) => seq)));
  for (const { row, seq, facts } of known) {
    const isOlder = olderSeqs?.has(seq) === true;
    if (isOlder) counts.older.push({ path: facts.path, position: facts.position });
    if (!isOlder || row.first_batch_id === batchId)
      counts[classifyChange(row, changedSeqs?.has(seq) === true, batchId)]++;
  }
}

/** Classifies what the batch did to a resource, also when an earlier attempt of the same batch did it. */
function classifyChange(row: KnownResourceRow, isChanged: boolean, batchId: BatchId): keyof Counts {
  if (row.first_batch_id === batchId) return 'created';
  return row.last_batch_id === batchId || isChanged ? 'updated' : 'unchanged';
}
