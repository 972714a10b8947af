import { z } from 'zod';

/** The 18 categories a consent may name, and which every stored fact belongs to one of. */
export const ResourceScope = z.enum([
  'CONTACT_INFO',
  'MEDICATIONS',
  'ALLERGIES',
  'DIAGNOSES',
  'LABS',
  'DEMOGRAPHICS',
  'CLINICAL_NOTES',
  'VISITS',
  'DIAGNOSTIC_REPORTS',
  'CLINICAL_VITALS',
  'PROCEDURES',
  'IMMUNIZATIONS',
  'IMAGING',
  'TREATMENT_PLAN',
  'GENOMIC_DATA',
  'FAMILY_HISTORY',
  'SOCIAL_HISTORY',
  'ADMINISTRATIVE_AND_BILLING',
]);
export type ResourceScope = z.infer<typeof ResourceScope>;
