/**
 * Types that say who did something, where, and with which medicine or device: a fact is as sensitive as those that it names,
 * by whatever it names them.
 */
export const PARTY_TYPES: ReadonlySet<string> = new Set([
  'CareTeam',
  'Device',
  'HealthcareService',
  'Location',
  'Medication',
  'Organization',
  'OrganizationAffiliation',
  'Practitioner',
  'PractitionerRole',
  'Substance',
]);
