import type { ResourceScope, RestrictedScope } from '../../../contract/data-categories.ts';
import type { PatientWords } from '../words/en.ts';

export type Category = ResourceScope;
export type Sensitivity = RestrictedScope;
export type GroupName = keyof PatientWords['data']['groups'];

/** People decide about six groups easily, about eighteen categories not; a test compares them with the contract. */
export const CATEGORY_GROUPS: readonly { name: GroupName; categories: readonly Category[] }[] = [
  { name: 'you', categories: ['DEMOGRAPHICS', 'CONTACT_INFO'] },
  { name: 'problems', categories: ['DIAGNOSES', 'ALLERGIES'] },
  { name: 'care', categories: ['MEDICATIONS', 'IMMUNIZATIONS', 'PROCEDURES'] },
  { name: 'tests', categories: ['LABS', 'CLINICAL_VITALS', 'DIAGNOSTIC_REPORTS', 'IMAGING', 'GENOMIC_DATA'] },
  { name: 'visits', categories: ['VISITS', 'CLINICAL_NOTES', 'TREATMENT_PLAN'] },
  { name: 'life', categories: ['FAMILY_HISTORY', 'SOCIAL_HISTORY', 'ADMINISTRATIVE_AND_BILLING'] },
];

export const ALL_CATEGORIES: readonly Category[] = CATEGORY_GROUPS.flatMap(({ categories }) => categories);

/** Returns the groups reduced to these categories, without empty ones. */
export const filterGroups = (offered: readonly Category[]): typeof CATEGORY_GROUPS =>
  CATEGORY_GROUPS.map(({ name, categories }) => ({
    name,
    categories: categories.filter((category) => offered.includes(category)),
  })).filter(({ categories }) => categories.length > 0);

/** In the order in which they are offered: related classes stand together. */
export const SENSITIVITIES: readonly Sensitivity[] = [
  'MENTAL_HEALTH',
  'PSYCHOTHERAPY_NOTES',
  'SUBSTANCE_USE_OR_DRUG_ABUSE',
  'SUD_PART_2',
  'HIV_OR_STI',
  'REPRODUCTIVE_HEALTH_DATA',
  'GENETIC_TESTING',
  'SICKLE_CELL',
];
