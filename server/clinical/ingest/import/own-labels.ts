import type { DataMask } from '../../../../contract/brands.ts';
import {
  combineMasks,
  FETCHED_RESTRICTED,
  intersectMasks,
  NO_LABELS,
  toLabelMask,
  toRequiredMask,
} from '../../../consent/access/sensitivity-labels.ts';
import { categorizeResource } from '../../entries/category.ts';
import type { Classification } from '../../labels/classify-resource.ts';
import { getServiceLabels } from '../../labels/target-labels.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import type { ResourceRow } from '../../store/resources.sql.ts';
import { CLASSES_MASK } from './inherited-masks.ts';

/** Content that could not be read may be of any class, unless the patient says that it is not. */
export function computeOwnLabels(
  resource: ParsedResource,
  { classes, nestedCategories, unread }: Classification,
  stated: ReadonlySet<string>,
): DataMask {
  const isUnknown = unread.some(({ digest }) => !stated.has(digest));
  return [
    toRequiredMask(categorizeResource(resource), classes),
    resource.resourceType === 'ChargeItem' ? getServiceLabels(resource['code']) : NO_LABELS,
    toLabelMask(nestedCategories),
    isUnknown ? CLASSES_MASK : NO_LABELS,
  ].reduce(combineMasks);
}

/** Adds what a fetched resource of a restricted class requires. */
export const addFetched = (requiredLabels: DataMask, { fetched }: ResourceRow): DataMask =>
  fetched && intersectMasks(requiredLabels, CLASSES_MASK) !== NO_LABELS
    ? combineMasks(requiredLabels, FETCHED_RESTRICTED)
    : requiredLabels;
