import { RestrictedScope } from '../../../../contract/data-categories.ts';
import { combineMasks, FETCHED_RESTRICTED, toLabelMask } from '../../../consent/access/sensitivity-labels.ts';

export const CLASSES_MASK = toLabelMask(RestrictedScope.options);

/** The labels that a fact inherits from others. */
export const RESTRICTED_MASK = combineMasks(CLASSES_MASK, FETCHED_RESTRICTED);
