/**
 * Types whose names other resources' entries show: who, where, which drug (of which substances) and whose visit,
 * nothing else. A diagnosis that a prescription merely refers to is shown with the diagnoses, under the consent for
 * them; the prescription shows no more of it than its own words.
 */
export const LOOKED_UP_TYPES: ReadonlySet<string> = new Set([
  'Encounter',
  'HealthcareService',
  'Location',
  'Medication',
  'Organization',
  'Practitioner',
  'PractitionerRole',
  'Substance',
]);

/** Those that are not of one patient alone: all but visits. */
export const SHARED_LOOKED_UP_TYPES: ReadonlySet<string> = LOOKED_UP_TYPES.difference(new Set(['Encounter']));
