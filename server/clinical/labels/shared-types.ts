import { SHARED_LOOKED_UP_TYPES } from '../store/looked-up-types.ts';

/**
 * Whom and what the facts of many Bundles name: a patient, a clinic, a medicine. That one of these Bundles is restricted says nothing
 * of them as long as another one that is not brings them too.
 */
export const SHARED_TYPES: ReadonlySet<string> = new Set([
  ...SHARED_LOOKED_UP_TYPES,
  ...'Device Endpoint OrganizationAffiliation Patient Person'.split(' '),
]);
