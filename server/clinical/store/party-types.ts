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

/** Whether a fact is as sensitive as what it names of this type: as those, and as its visits. */
export const isInheritedFrom = (type: string): boolean => type === 'Encounter' || PARTY_TYPES.has(type);
