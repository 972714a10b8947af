import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import { combineMasks, NO_LABELS, toLabelMask } from '../../../consent/access/sensitivity-labels.ts';
import { toArray, toElement } from '../../entries/element.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import {
  INHERITED,
  isInheritedLabel,
  listInheritedClasses,
  mayInherit,
  withoutInherited,
} from '../../labels/inherited-labels.ts';
import type { Mention } from '../../labels/mentions.ts';
import { parseSecurityLabels } from '../../labels/security-labels.ts';
import { SHARED_TYPES } from '../../labels/shared-types.ts';
import { findKeptContents } from '../../store/batch-resources.sql.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { parseResource } from '../../store/parse-resource.ts';

interface StoredResource {
  row: { seq: number; body: string };
  resource: ParsedResource;
}

/** Loads what other uploads brought of resources, by `seq`: the texts that have labels of what they came in, null for each other one. */
export const loadKeptContents = async (
  on: Queryable,
  patientId: PatientId,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, readonly { body: string | null }[]>> =>
  Map.groupBy(await on.query(findKeptContents(patientId, seqs, INHERITED)), ({ seq }) => seq);

/**
 * Loads the classes that resources have because of what they came in, in whichever upload and whichever came last: a fact those of
 * each, and what many name (SHARED_TYPES) none where one of the uploads brought it without. The contents that others replaced are
 * kept for that, but those of connected servers, which say what is so now.
 */
export async function loadInheritedClasses(
  on: Queryable,
  patientId: PatientId,
  resources: readonly StoredResource[],
): Promise<ReadonlyMap<number, DataMask>> {
  const kept = await loadKeptContents(
    on,
    patientId,
    resources.map(({ row }) => row.seq),
  );
  const classes = new Map<number, DataMask>();
  for (const { row, resource } of resources) {
    const contents = [
      mayInherit(row.body) ? resource : null,
      ...(kept.get(row.seq) ?? []).map(({ body }) => (body === null ? null : parseResource(body))),
    ].map((content) => (content === null ? NO_LABELS : toLabelMask(listInheritedClasses(content))));
    const isOpen = SHARED_TYPES.has(resource.resourceType) && contents.includes(NO_LABELS);
    const mask = isOpen ? NO_LABELS : contents.reduce(combineMasks);
    if (mask !== NO_LABELS) classes.set(row.seq, mask);
  }
  return classes;
}

/**
 * Lists the labels that what many name has because of what it came in, as parts of it: where it is shown, since it came otherwise
 * too, they are left out for who may not see their class.
 */
export function listInheritedMentions({ row, resource }: StoredResource): Mention[] {
  if (!SHARED_TYPES.has(resource.resourceType) || !mayInherit(row.body)) return [];
  return toArray(toElement(resource['meta'])?.['security']).flatMap((label, index) => {
    const coding = toElement(label);
    if (coding === null || !isInheritedLabel(coding)) return [];
    const labels = toLabelMask(parseSecurityLabels([String(coding['code'])]));
    return { pointer: ['meta', 'security', index], labels, target: null, words: [] };
  });
}

/** Returns what a resource says of itself: of what many name, it counts elsewhere what they came in. */
export const toOwnContent = ({ row, resource }: StoredResource): ParsedResource =>
  SHARED_TYPES.has(resource.resourceType) && mayInherit(row.body) ? withoutInherited(resource) : resource;
