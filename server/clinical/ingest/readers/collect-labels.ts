import { CONFIDENTIALITY } from '../../../../documents/ccda/code-systems.ts';
import { listLabelsOfWhole, type LabeledWhole, type SecurityLabel } from '../../labels/inherited-labels.ts';
import { tryParseJson, type ResourceItem } from './fhir-resource.ts';
import type { Slice } from './json-slices.ts';

/** The labels of what could not be read: it may be of any class. */
const UNREAD: SecurityLabel = { system: CONFIDENTIALITY, code: 'R', display: null };

/** Collects the labels of a Bundle or of Parameters while it is read: of its `meta`, and of the Composition of a document. */
export interface LabelCollector {
  /** Takes `meta`, parsed or as a slice of JSON. */
  addMeta(meta: unknown): void;
  /** Returns the item, which may be the Composition. */
  observe<Item extends ResourceItem | object>(item: Item): Item;
  /** Returns the whole, as an item, when all of it was read; none without labels. */
  finish(): { labeled: LabeledWhole }[];
}

export function createLabelCollector({
  position,
  isDocument,
}: Pick<LabeledWhole, 'position' | 'isDocument'>): LabelCollector {
  const labels: SecurityLabel[] = [];
  const within = position === '' ? 'entry[' : `${position}.entry[`;
  const isOwnEntry = (each: string): boolean => each.startsWith(within) && !each.includes('.', within.length);
  return {
    addMeta(meta) {
      labels.push(...listLabelsOfWhole({ meta }));
    },
    observe(item) {
      const found = 'found' in item ? item.found : null;
      if (isDocument && found?.resource.resourceType === 'Composition' && isOwnEntry(found.position))
        labels.push(...listLabelsOfWhole(found.resource));
      return item;
    },
    finish: () => (labels.length === 0 ? [] : [{ labeled: { position, isDocument, labels } }]),
  };
}

/** Takes `meta` out of the slices of a Bundle, and returns what else they are. */
export function takeMeta(slices: readonly Slice[], collector: LabelCollector): Slice[] {
  return slices.filter((slice) => {
    if (slice.key !== 'meta' || slice.index !== -1) return true;
    const meta = 'refused' in slice ? undefined : tryParseJson(slice.bytes.toString('utf8'));
    collector.addMeta(meta === undefined ? { security: [UNREAD] } : meta);
    return false;
  });
}
