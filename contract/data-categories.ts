import { z } from 'zod';

/** The 18 categories that a consent may name; every stored fact belongs to one of them. Append only: stored masks rely on the order. */
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

/** NORMAL, and the eight sensitivity classes that get more protection. Append only: stored masks rely on the order. */
export const SensitivityScope = z.enum([
  'NORMAL',
  'HIV_OR_STI',
  'SUBSTANCE_USE_OR_DRUG_ABUSE',
  'MENTAL_HEALTH',
  'GENETIC_TESTING',
  'REPRODUCTIVE_HEALTH_DATA',
  'PSYCHOTHERAPY_NOTES',
  'SUD_PART_2',
  'SICKLE_CELL',
]);
export type SensitivityScope = z.infer<typeof SensitivityScope>;

/** The classes that are shared only when the patient chose them. */
export const RestrictedScope = SensitivityScope.exclude(['NORMAL']);
export type RestrictedScope = z.infer<typeof RestrictedScope>;

const hasUniqueItems = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

/** The categories that a consent names; null: all of them. */
export const ConsentDataResourceScopes = z
  .array(ResourceScope)
  .min(1, 'must name at least one category')
  .refine(hasUniqueItems, 'must name each category once')
  .nullable();

/** The classes that a consent names, NORMAL among them; null: everything NORMAL. */
export const ConsentDataSensitivityScopes = z
  .array(SensitivityScope)
  .refine(hasUniqueItems, 'must name each class once')
  .refine((scopes) => scopes.includes('NORMAL'), 'must hold NORMAL')
  .nullable();

/** The part of a record that a consent covers. */
export const ConsentScopes = z
  .object({
    fullRecordWithoutRestrictedData: z
      .boolean()
      .describe('Every category, in the class NORMAL only; both lists are null then'),
    consentDataResourceScopes: z.array(ResourceScope).nullable(),
    consentDataSensitivityScopes: z.array(SensitivityScope).nullable(),
  })
  .meta({ id: 'ConsentScopes' });
export type ConsentScopes = z.infer<typeof ConsentScopes>;

/** What an app gets of what a consent covers. */
export const ClientGrant = ConsentScopes.extend({ expirationTimestamp: z.iso.datetime() }).meta({
  id: 'ClientGrant',
});
export type ClientGrant = z.infer<typeof ClientGrant>;

/** What of a consent ends when, and what is covered with what. */
export const ConsentParts = z
  .array(ClientGrant)
  .nullable()
  .describe(
    'Where parts of the consent end at different times, or cover less than their lists would say together, each of them: the lists beside it name what any part has, and its expirationTimestamp is that of the last. A read is permitted by one part that has not ended and covers all of what is read. null: it has one part',
  );
