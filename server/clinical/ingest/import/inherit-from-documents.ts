import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import { combineMasks, NO_LABELS } from '../../../consent/access/sensitivity-labels.ts';
import type { Db } from '../../../platform/db/db.ts';
import { findRestrictedDocuments } from '../../linkage/duplicate-notes.sql.ts';
import type { GetInheritedLabels } from './build-labeled-entries.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';

/** Loads the labels that reports inherit from the documents that hold the same note: the label may stand on one of them only. */
export async function loadDocumentLabels(db: Db, patientId: PatientId): Promise<GetInheritedLabels> {
  const classes = new Map<string, DataMask>();
  const getClasses = (name: string): DataMask => classes.get(name) ?? NO_LABELS;
  for (const { group_key, names, required_labels: requiredLabels } of await db.query(
    findRestrictedDocuments(patientId, RESTRICTED_MASK),
  ))
    for (const name of [group_key, names])
      if (name !== null) classes.set(name, combineMasks(getClasses(name), requiredLabels));
  return ({ reference, entries }) =>
    reference.startsWith('DiagnosticReport/')
      ? [reference, ...entries.map(({ groupKey }) => groupKey)]
          .map(getClasses)
          .reduce(combineMasks, NO_LABELS)
      : NO_LABELS;
}
