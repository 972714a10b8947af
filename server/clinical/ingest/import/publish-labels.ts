import type { Tx } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import * as statements from '../../store/required-labels.sql.ts';
import { requireRecord, type ReplacedRecord } from './replace-entries.ts';
import { listLabelChanges } from './list-label-changes.ts';
import { computeLastUpdated } from './write-page.ts';

const PAGE = 200;

/**
 * Has readers go by the labels that resources have now. Those of which they are other ones count as changed: what a consent
 * shows since then comes with `_since` of every state that it was not in, and earlier states stay what they were. Who may read it,
 * or could, is notified when all is published, by whoever ends the run, or the batch.
 */
export async function publishLabels(rebuild: ReplacedRecord & { clock: Clock }): Promise<void> {
  const { db, patientId } = rebuild;
  while ((await db.query(statements.findUnpublished(patientId, 1))).length > 0)
    await db.tx((tx) => publishPage(tx, rebuild));
}

async function publishPage(tx: Tx, rebuild: ReplacedRecord & { clock: Clock }): Promise<void> {
  const { patientId, clock } = rebuild;
  const head = await requireRecord(tx, rebuild);
  const rows = await tx.query(statements.findUnpublished(patientId, PAGE));
  const relabeled = rows.filter((row) => row.is_changed);
  const changed = relabeled.map(({ seq }) => seq);
  if (changed.length > 0) {
    const now = computeLastUpdated(head, clock.now());
    await tx.query(statements.insertRelabeledVersions(patientId, changed, now));
    await tx.query(statements.touchResources(patientId, changed, now));
    const changes = listLabelChanges(relabeled);
    await tx.query(statements.touchRecord(patientId, { now, seqs: changed, changes }));
  }
  const seqs = rows.map(({ seq }) => seq);
  await tx.query(statements.publishLabels(patientId, seqs));
}
