import type { BatchId, DataMask, PatientId } from '../../../../contract/brands.ts';
import { combineMasks, intersectMasks, NO_LABELS } from '../../../consent/access/sensitivity-labels.ts';
import type { VisitNode } from '../../labels/visits.ts';
import { isInheritedFrom } from '../../store/party-types.ts';
import { findResourcesBySeq, type ResourceRow } from '../../store/resources.sql.ts';
import { createBinaryFindings, limitBinaryBytes, type BinaryFindings } from './attached-binaries.ts';
import { prepareLabeledEntries, type LabelingInput } from './build-labeled-entries.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';
import type { PublishedNames, ReferringResource } from './labeling-run.ts';
import type { PreparedPage } from './rebuild-pages.ts';
import { replaceEntries, type ReplacedRecord } from './replace-entries.ts';

/** What a rebuild has found of labels yet. */
export interface Findings extends Pick<LabelingInput, 'addedLabels' | 'categories'>, BinaryFindings {
  /** Visits, and who, where and what took part in them, until they share their labels. */
  visits: VisitNode[];
  /** The labels of resources whose parts refer to others, and to which. */
  referring: Map<number, ReferringResource>;
  /** The classes of resources that were built with more than their own: they keep these. */
  inherited: Map<number, DataMask>;
  /** The classes of what others inherit from. */
  lookedUp: Map<number, DataMask>;
}

/** A rebuild in progress. */
export interface Rebuild
  extends
    ReplacedRecord,
    Findings,
    Omit<LabelingInput, 'rows' | 'areDated' | 'getInheritedLabels' | 'published'> {
  patientId: PatientId;
  /** Null: the whole record is rebuilt. */
  batchId: BatchId | null;
  published: PublishedNames;
  /** Called before each page; throws where the rebuild may not go on. */
  checkpoint(): void;
}

export const createFindings = (): Findings => ({
  addedLabels: new Map(),
  categories: new Map(),
  visits: [],
  referring: new Map(),
  inherited: new Map(),
  lookedUp: new Map(),
  ...createBinaryFindings(),
});

/** Forgets what is found anew when all is built once more: all but what the record says, and what resources inherit. */
export function clearFindings({ visits, ...findings }: Findings): void {
  visits.length = 0;
  for (const found of [
    findings.referring,
    findings.lookedUp,
    findings.binaries,
    findings.naming,
    findings.relabeled,
    findings.attachable,
  ])
    found.clear();
}

/** Resources of a statement. */
export const PAGE = 200;

/** Prepares resources; `labels` are those that some of them have because of others. */
export async function preparePage(
  { db, patientId, ...rebuild }: Rebuild,
  rows: readonly ResourceRow[],
  labels: ReadonlyMap<number, DataMask> = new Map(),
): Promise<PreparedPage> {
  const seqs = rows.map(({ seq }) => seq);
  const types = new Map(rows.map((row) => [row.seq, row.resource_type]));
  const build = await prepareLabeledEntries(db, patientId, {
    ...rebuild,
    rows,
    getInheritedLabels: (seq) =>
      combineMasks(labels.get(seq) ?? NO_LABELS, rebuild.inherited.get(seq) ?? NO_LABELS),
    // An import has stored them.
    areDated: rebuild.batchId !== null,
  });
  const isBinary = (seq: number): boolean => types.get(seq) === 'Binary';
  return {
    seqs,
    build() {
      const labeled = build();
      for (const { seq, requiredLabels, targets } of labeled.requiredLabels) {
        if (isBinary(seq)) rebuild.binaries.set(seq, requiredLabels);
        if (isInheritedFrom(types.get(seq) ?? ''))
          rebuild.lookedUp.set(seq, intersectMasks(requiredLabels, RESTRICTED_MASK));
        if (targets.length > 0) rebuild.referring.set(seq, { labels: requiredLabels, targets });
      }
      for (const { seq, binaries: named } of labeled.contents) if (named.length > 0) rebuild.naming.add(seq);
      rebuild.visits.push(...labeled.visits);
      const requiredLabels = labeled.requiredLabels.filter(({ seq }) => !isBinary(seq));
      return { seqs, ...labeled, requiredLabels };
    },
  };
}

/** Rebuilds resources with labels beyond their own. */
export async function raiseLabels(rebuild: Rebuild, labels: ReadonlyMap<number, DataMask>): Promise<void> {
  const { db, patientId, inherited } = rebuild;
  for (let left = [...labels.keys()].sort((a, b) => a - b); left.length > 0;) {
    const found = await db.query(findResourcesBySeq(patientId, left.slice(0, PAGE)));
    const rows = await limitBinaryBytes(db, patientId, { rows: found, attachable: rebuild.attachable });
    const last = rows.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
    left = left.filter((seq) => seq > last);
    rebuild.checkpoint();
    const page = await preparePage(rebuild, rows, labels);
    const built = page.build();
    for (const { seq, requiredLabels } of built.requiredLabels)
      inherited.set(seq, intersectMasks(requiredLabels, RESTRICTED_MASK));
    await replaceEntries(rebuild, built);
  }
}
