import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { beginLabelingRun, endLabelingRun, endLabeling } from '../../store/required-labels.sql.ts';
import * as statements from '../../store/labeled-resources.sql.ts';
import type { PublishedLabels } from './build-labeled-entries.ts';
import { RESTRICTED_MASK } from './load-targets.ts';
import { requireRecord, type ReplacedRecord } from './replace-entries.ts';
import { createPatientGoneRefusal } from './write-page.ts';

/** Resources of one statement: few have restricted classes, and their rows are short. */
const PAGE = 2000;

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
export const endRun = (rebuild: ReplacedRecord, purpose: LabelingPurpose): Promise<void> =>
  rebuild.db.tx(async (tx) => {
    const { patientId } = rebuild;
    await requireRecord(tx, rebuild);
    await tx.query(endLabelingRun(patientId, purpose));
    if (!purpose.isImport) await tx.query(endLabeling(patientId));
  });

/**
 * Loads what readers go by as a run begins: what they saw without a part that names something restricted, they go on to see
 * without it. Of a batch that changes nothing else, nothing that is there can name what is not labeled yet.
 */
export async function loadPublished(
  db: Db,
  { patientId, isWhole }: { patientId: PatientId; isWhole: boolean },
): Promise<PublishedLabels> {
  const restricted = await loadLabels((query) =>
    db.query(statements.findPublishedResources(patientId, { labels: RESTRICTED_MASK, ...query })),
  );
  const unlabeled = isWhole ? await db.query(statements.findUnlabeled(patientId)) : [];
  return { restricted, unlabeled: new Set(unlabeled.map(({ reference }) => reference)) };
}

/** Loads the restricted classes of those of the resources in `wanted` that have any, by `Type/id`. */
export const loadRestricted = (
  { db, patientId }: Pick<ReplacedRecord, 'db' | 'patientId'>,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, DataMask>> =>
  loadLabels(
    (query) => db.query(statements.findLabeledResources(patientId, { labels: RESTRICTED_MASK, ...query })),
    wanted,
  );

async function loadLabels(
  read: (query: { after: number; limit: number }) => Promise<statements.LabeledResourceRow[]>,
  wanted?: ReadonlySet<string>,
): Promise<ReadonlyMap<string, DataMask>> {
  const labels = new Map<string, DataMask>();
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows: statements.LabeledResourceRow[] = await read({ after, limit: PAGE });
    for (const { reference, required_labels: mask } of rows)
      if (wanted === undefined || wanted.has(reference)) labels.set(reference, mask);
    after = rows.at(-1)?.seq;
  }
  return labels;
}
