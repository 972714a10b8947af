import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import { combineMasks, NO_LABELS } from '../../../consent/access/sensitivity-labels.ts';
import { SAME_PARTS, type EmitUpdate } from '../../../consent/access/record-change.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { findNamesElsewhere, findStoredLabels, type NamedRow } from '../../labels/contents.sql.ts';
import { getSearchedType, isSearchedName, listSearchableNames } from '../../labels/names-of-targets.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { beginLabelingRun, endLabeling, endLabelingRun } from '../../store/required-labels.sql.ts';
import { listFormerLabels, noteFormerPatients } from '../../store/person-changes.sql.ts';
import { clearUnannounced, parseChanges, selectLateChanges } from '../../store/record-changes.sql.ts';
import type { RecordHeadRow } from '../../store/resources.sql.ts';
import * as statements from '../../store/labeled-resources.sql.ts';
import type { PublishedLabels } from './build-labeled-entries.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';
import { readRows, type ReadPage } from './read-rows.ts';
import { requireRecord, type ReplacedRecord } from './replace-entries.ts';
import { createPatientGoneRefusal } from './write-page.ts';

/** Who labels a record: an import, as its last step, or a job or a command that reads all of the record anew. */
export interface LabelingPurpose {
  isImport: boolean;
}

/** Begins a run, after which none that began before it can write; `isWhole`: one of these has not ended. */
export async function beginRun(
  db: Db,
  patientId: PatientId,
  purpose: LabelingPurpose,
): Promise<{ run: number; isWhole: boolean }> {
  const begun = await maybeOne(db, beginLabelingRun(patientId, purpose));
  if (begun === null) throw createPatientGoneRefusal();
  return { run: begun.run, isWhole: begun.is_whole };
}

/** Ends a run: readers go by the labels that it has given. Outside of an import it ends the labeling of batches that failed, too. */
export const endRun = (rebuild: ReplacedRecord & AnnouncingDeps, purpose: LabelingPurpose): Promise<void> =>
  rebuild.db.tx(async (tx) => {
    const { patientId } = rebuild;
    const head = await requireRecord(tx, rebuild);
    await tx.query(endLabelingRun(patientId, purpose));
    if (purpose.isImport) return;
    const ended = await tx.query(endLabeling(patientId));
    if (head.labeled_until === null || ended.length > 0) await announceRun(tx, rebuild, head);
  });

export interface AnnouncingDeps {
  clock: Clock;
  /** Called in the transaction in which a run outside of an import ends; absent where nobody reads meanwhile. */
  emitUpdate?: EmitUpdate | undefined;
}

/** Notifies those who read what other labels show, or hide, and what a batch wrote that failed before its labels were known. */
async function announceRun(
  tx: Tx,
  { patientId, clock, emitUpdate }: { patientId: PatientId } & AnnouncingDeps,
  { labeled_until: labeledUntil, last_synchronized_at: updatedAt, ...head }: RecordHeadRow,
): Promise<void> {
  const changes = parseChanges(head.unannounced_changes);
  const late = labeledUntil === null ? [] : await tx.query(selectLateChanges(patientId, labeledUntil));
  for (const { before, after } of late)
    // Who reads under a consent that leaves out nothing saw it as it was written.
    for (const former of before === null ? [HIDDEN] : [HIDDEN, before])
      changes.push({ before: former, after, part: SAME_PARTS });
  if (changes.length === 0 || updatedAt === null) return;
  const former = listFormerLabels(late);
  if (former.length > 0) await tx.query(noteFormerPatients(patientId, former, updatedAt));
  await tx.query(clearUnannounced(patientId));
  const cause = { source: 'CLASSIFICATION' } as const;
  await emitUpdate?.(tx, { patientId, cause, updatedAt, changes: [], relabeled: changes, now: clock.now() });
}

const HIDDEN = -1 as DataMask;

export interface PublishedNames extends PublishedLabels {
  /** What resources name by an identifier or a link. */
  named: readonly NamedRow[];
}

/**
 * Loads what readers go by as a run begins: what they saw without a part that names something withheld, they go on to see
 * without it. Of a batch that changes nothing else, nothing that is there can name what is not labeled yet, but by an
 * identifier or a link, which is looked for when the run has labeled it.
 */
export async function loadPublished(
  db: Db,
  { patientId, isWhole }: { patientId: PatientId; isWhole: boolean },
): Promise<PublishedNames> {
  const query = { labels: RESTRICTED_MASK };
  const named = await db.query(findNamesElsewhere(patientId));
  const addedLabels = await loadLabels((page) =>
    db.query(statements.findPublishedResources(patientId, { ...query, ...page })),
  );
  const identified = await loadIdentified(new Set(named.map(({ name }) => name)), (types, page) =>
    db.query(statements.findPublishedBodies(patientId, { ...query, types, ...page })),
  );
  const unlabeled = isWhole ? await db.query(statements.findUnlabeled(patientId)) : [];
  return {
    addedLabels: new Map([...addedLabels, ...identified]),
    unlabeled: new Set(unlabeled.map(({ reference }) => reference)),
    named,
  };
}

/** Loads what those of the resources in `wanted` require besides the category of their type, by `Type/id` or another name. */
export async function loadAddedLabels(
  { db, patientId }: Pick<ReplacedRecord, 'db' | 'patientId'>,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, DataMask>> {
  const query = { labels: RESTRICTED_MASK };
  const addedLabels = await loadLabels(
    (page) => db.query(statements.findLabeledResources(patientId, { ...query, ...page })),
    wanted,
  );
  const identified = await loadIdentified(wanted, (types, page) =>
    db.query(statements.findLabeledBodies(patientId, { ...query, types, ...page })),
  );
  return new Map([...addedLabels, ...identified]);
}

async function loadLabels(
  read: ReadPage<statements.LabeledResourceRow>,
  wanted?: ReadonlySet<string>,
): Promise<ReadonlyMap<string, DataMask>> {
  const labels = new Map<string, DataMask>();
  for await (const { reference, required_labels: mask } of readRows(read))
    if (wanted === undefined || wanted.has(reference)) labels.set(reference, mask);
  return labels;
}

type ReadBodies = (
  types: readonly string[] | null,
  ...page: Parameters<ReadPage<statements.LabeledBodyRow>>
) => ReturnType<ReadPage<statements.LabeledBodyRow>>;

/**
 * Loads the same of what `wanted` names by an identifier or an id at its source. The identifiers of most resources are in their texts
 * alone: those of the types that anything names so are read, of all types where a name has none.
 */
async function loadIdentified(
  wanted: ReadonlySet<string>,
  read: ReadBodies,
): Promise<ReadonlyMap<string, DataMask>> {
  const types = new Set(wanted.values().filter(isSearchedName).map(getSearchedType));
  if (types.size === 0) return new Map();
  return readIdentified(
    (page) => read(types.has('') ? null : [...types], page),
    (name) => wanted.has(name),
  );
}

async function readIdentified(
  read: ReadPage<statements.LabeledBodyRow>,
  isWanted: (name: string) => boolean,
): Promise<ReadonlyMap<string, DataMask>> {
  const labels = new Map<string, DataMask>();
  for await (const { body, source_id: id, required_labels: mask } of readRows(read))
    for (const name of listSearchableNames(parseResource(body), id))
      if (isWanted(name)) labels.set(name, combineMasks(labels.get(name) ?? NO_LABELS, mask));
  return labels;
}

/**
 * Returns a function that loads the restricted classes of all visits that have any, by the names that searches have for them: once,
 * when all visits are labeled, and not where nothing names one so.
 */
export function createVisitLoader({
  db,
  patientId,
}: Pick<ReplacedRecord, 'db' | 'patientId'>): () => Promise<ReadonlyMap<string, DataMask>> {
  let loaded: Promise<ReadonlyMap<string, DataMask>> | undefined;
  return () =>
    (loaded ??= readIdentified(
      (page) =>
        db.query(
          statements.findLabeledOfTypes(patientId, ['Encounter'], { labels: RESTRICTED_MASK, ...page }),
        ),
      () => true,
    ));
}

/** The labels of a resource whose parts refer to others, and to which. */
export interface ReferringResource {
  labels: DataMask;
  targets: readonly string[];
}

/**
 * Finds the resources from before a batch that name something by an identifier or a link, and were not redacted for it: it may have
 * come with the batch.
 */
export async function findEarlierReferring(
  { db, patientId, published }: Pick<ReplacedRecord, 'db' | 'patientId'> & { published: PublishedNames },
  referring: ReadonlyMap<number, unknown>,
): Promise<[seq: number, ReferringResource][]> {
  const open = published.named.filter(
    ({ seq, name }) => !referring.has(seq) && !published.addedLabels.has(name),
  );
  if (open.length === 0) return [];
  const bySeq = Map.groupBy(open, ({ seq }) => seq);
  const rows = await db.query(findStoredLabels(patientId, [...bySeq.keys()]));
  return rows.map(({ seq, required_labels: labels }) => {
    const targets = (bySeq.get(seq) ?? []).map(({ name }) => name);
    return [seq, { labels, targets }];
  });
}
