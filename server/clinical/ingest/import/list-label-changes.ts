import type { DataMask } from '../../../../contract/brands.ts';
import { SAME_PARTS, type RecordChange } from '../../../consent/access/record-change.ts';
import { combineMasks, NO_LABELS } from '../../../consent/access/sensitivity-labels.ts';
import { parseRedactions } from '../../labels/redact.ts';
import type { UnpublishedRow } from '../../store/required-labels.sql.ts';

/** Lists what other labels of resources, and of parts of these, are to readers: each change once. Their contents are the same. */
export function listLabelChanges(rows: readonly UnpublishedRow[]): RecordChange[] {
  const changes = new Map<string, RecordChange>();
  for (const row of rows) {
    const labels = { before: row.published_labels, after: row.required_labels };
    for (const part of [SAME_PARTS, ...listPartChanges(row)]) {
      const change = { ...labels, part };
      changes.set(JSON.stringify(change), change);
    }
  }
  return [...changes.values()];
}

function listPartChanges(row: UnpublishedRow): { before: DataMask; after: DataMask }[] {
  const [former, present] = [readParts(row.published_redactions), readParts(row.redactions)];
  return [...new Set([...former.keys(), ...present.keys()])]
    .map((range) => ({
      before: former.get(range) ?? NO_LABELS,
      after: present.get(range) ?? NO_LABELS,
    }))
    .filter(({ before, after }) => before !== after);
}

/** Returns what parts require besides, by where they stand. */
function readParts(redactions: string | null): Map<string, DataMask> {
  const parts = new Map<string, DataMask>();
  for (const { start, end, requiredLabels } of redactions === null ? [] : parseRedactions(redactions)) {
    const range = `${start} ${end}`;
    parts.set(range, combineMasks(parts.get(range) ?? NO_LABELS, requiredLabels));
  }
  return parts;
}
