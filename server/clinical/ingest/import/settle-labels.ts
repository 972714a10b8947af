import type { DataMask } from '../../../../contract/brands.ts';
import { combineMasks, intersectMasks, NO_LABELS } from '../../../consent/access/sensitivity-labels.ts';
import { upsertRequiredLabels } from '../../store/required-labels.sql.ts';
import { findAffectedByBinaries } from './attached-binaries.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';
import { findEarlierReferring, loadAddedLabels } from './labeling-run.ts';
import { loadAnswersOfClaims } from './load-claims.ts';
import { raiseLabels, type Rebuild } from './raise-labels.ts';
import { requireRecord } from './replace-entries.ts';
import { shareClasses } from './share-classes.ts';

/** Of what names each other, as Provenances do: each costs a look at all labels. */
const MAX_CHAIN = 100;

/** How often all that names something may be built once more. */
const MAX_TIMES = 12;

/** Of what is found in the texts of Binaries. */
const MAX_ROUNDS = 12;

/**
 * Raises the labels that resources have because of others, when the own ones of all are known, until none is raised any more:
 * Binaries, what names them and what holds the same notes share their classes; then what refers to resources that require more
 * than the category of their type, or was redacted because of what they required before, is redacted. A resource that lists ten
 * results, of which one is restricted, names nine to those who do not see that one. What requires more itself then shares that in
 * turn, and is redacted where others name it, and so on: a Provenance of a Provenance.
 */
export async function settleLabels(rebuild: Rebuild): Promise<void> {
  const { published, referring } = rebuild;
  const earlier = rebuild.batchId === null ? [] : await findEarlierReferring(rebuild, referring);
  for (const [seq, each] of earlier) referring.set(seq, each);
  const answers = await loadAnswersOfClaims(rebuild);
  // What earlier resources name besides is as it was.
  const hasEarlier = earlier.length > 0 || answers.length > 0;
  let current = rebuild;
  let before = published.addedLabels;
  for (let round = 0, built = 0; round < MAX_CHAIN && built <= MAX_TIMES * referring.size; round++) {
    await shareLabels(current, { isAttached: round > 0 });
    const added = await loadAddedLabels(rebuild, listTargets(rebuild));
    const getChanged = (name: string): DataMask => {
      const [old, now] = [before.get(name) ?? NO_LABELS, added.get(name) ?? NO_LABELS];
      return round === 0 || old !== now ? combineMasks(old, now) : NO_LABELS;
    };
    const raised = new Map([...(round === 0 ? answers : []), ...findRaised(rebuild, getChanged)]);
    if (raised.size === 0) return;
    const addedLabels = hasEarlier ? new Map([...published.addedLabels, ...added]) : added;
    current = { ...rebuild, addedLabels, published: { ...published, addedLabels } };
    const former = new Map(raised.keys().map((seq) => [seq, referring.get(seq)?.labels]));
    await raiseLabels(current, raised);
    built += raised.size;
    if (former.entries().every(([seq, labels]) => referring.get(seq)?.labels === labels)) return;
    before = added;
  }
}

const listTargets = ({ referring }: Rebuild): Set<string> =>
  new Set(referring.values().flatMap(({ targets }) => targets));

/** Finds what refers to something whose labels are other ones than it was built with, and require more than it does. */
function* findRaised(
  { referring }: Rebuild,
  getChanged: (name: string) => DataMask,
): Generator<[number, DataMask]> {
  for (const [seq, { labels, targets }] of referring)
    if (targets.some((name) => (getChanged(name) & ~labels) !== 0))
      yield [seq, intersectMasks(labels, RESTRICTED_MASK)];
}

/**
 * Has resources share the classes of what they have in common, and builds notes once more whose text is in a Binary, or may have
 * its text no more. What was read in the text of a Binary is shared in turn: a resource in its content adds its category to what
 * names that. `isAttached`: notes were built with the texts of Binaries before.
 */
async function shareLabels(rebuild: Rebuild, { isAttached }: { isAttached: boolean }): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { binaries, lacking } = await shareClasses(rebuild.db, rebuild.patientId, rebuild.binaries);
    await storeBinaryLabels(rebuild, binaries);
    await raiseLabels(rebuild, lacking);
    const affected = await findAffectedByBinaries({ ...rebuild, isAttached: isAttached || round > 0 });
    await raiseLabels(rebuild, affected);
    if (lacking.size === 0 && affected.size === 0) return;
  }
}

async function storeBinaryLabels(rebuild: Rebuild, binaries: ReadonlyMap<number, DataMask>): Promise<void> {
  for (const seq of binaries.keys()) rebuild.relabeled.add(seq);
  if (binaries.size === 0) return;
  const requiredLabels = [...binaries].map(([seq, mask]) => ({
    seq,
    requiredLabels: mask,
    redactions: null,
  }));
  await rebuild.db.tx(async (tx) => {
    await requireRecord(tx, rebuild);
    await tx.query(upsertRequiredLabels(rebuild.patientId, requiredLabels));
  });
}
