import type { PatientId } from '../../../../contract/brands.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import {
  addInheritedLabels,
  listInheritedLabels,
  mayInherit,
  removeInheritedLabels,
} from '../../labels/inherited-labels.ts';
import { SHARED_TYPES } from '../../labels/shared-types.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { loadKeptContents } from './inherit-from-wholes.ts';

/**
 * Returns bodies of one type with the labels that count of what they came in (loadInheritedClasses), whichever upload brought them
 * last: whoever uploads a download has a record of the same labels.
 */
export async function carryLabels(
  on: Queryable,
  patientId: PatientId,
  { type, rows }: { type: string; rows: readonly { seq: number; body: string }[] },
): Promise<string[]> {
  const kept = await loadKeptContents(
    on,
    patientId,
    rows.map(({ seq }) => seq),
  );
  return rows.map(({ seq, body }) => {
    const others = kept.get(seq) ?? [];
    const isOpen = others.some((other) => other.body === null);
    if (isOpen && SHARED_TYPES.has(type))
      return mayInherit(body) ? removeInheritedLabels(body, parseResource(body)) : body;
    const isShared = SHARED_TYPES.has(type) && !mayInherit(body);
    const labels = others.flatMap((other) =>
      other.body === null || isShared ? [] : listInheritedLabels(parseResource(other.body)),
    );
    return labels.length === 0 ? body : addInheritedLabels(body, parseResource(body), labels);
  });
}
