import { ResourceScope } from '../../contract/data-categories.ts';
import { bitOf, withheldCategories, withheldClasses } from '../consent/data-classes.ts';
import { paragraphs } from './markdown.ts';

/**
 * What answers say of what the patient does not share. All of it follows from the consent alone and none from the record:
 * an answer reads the same whether the record holds what is withheld or not. Where nothing is withheld, nothing is said.
 */
const NAMES: Readonly<Record<ResourceScope, string>> = {
  CONTACT_INFO: 'contact information',
  MEDICATIONS: 'medications',
  ALLERGIES: 'allergies',
  DIAGNOSES: 'diagnoses',
  LABS: 'laboratory results',
  DEMOGRAPHICS: 'demographics',
  CLINICAL_NOTES: 'clinical notes',
  VISITS: 'visits',
  DIAGNOSTIC_REPORTS: 'diagnostic reports',
  CLINICAL_VITALS: 'vital signs',
  PROCEDURES: 'procedures',
  IMMUNIZATIONS: 'immunizations',
  IMAGING: 'imaging',
  TREATMENT_PLAN: 'treatment plans',
  GENOMIC_DATA: 'genomic data',
  FAMILY_HISTORY: 'family history',
  SOCIAL_HISTORY: 'social history',
  ADMINISTRATIVE_AND_BILLING: 'administration and billing',
};

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const RESTRICTED =
  'Specially protected information is included only where the patient chose to share it; this does not tell whether the record holds any.';

/** 42 CFR 2.32 (a)(2), the short notice that goes with every disclosure. */
const PART_2 = '42 CFR part 2 prohibits unauthorized use or disclosure of these records.';

/** One paragraph or more of every answer under a consent that leaves something out; else null. */
export function withheldNote(withheld: number): string | null {
  if (withheld === 0) return null;
  const categories = withheldCategories(withheld).map((name) => capitalized(NAMES[name]));
  return paragraphs(
    categories.length === 0
      ? null
      : `Not shared by the patient: ${categories.join(', ')} (${categories.length} of ${ResourceScope.options.length} categories).`,
    withheldClasses(withheld).length === 0 ? null : RESTRICTED,
    withheld & bitOf('SUD_PART_2') ? null : PART_2,
  );
}

const isWithheld = (withheld: number, category: ResourceScope): boolean => (withheld & bitOf(category)) !== 0;

/** "The patient does not share allergies."; null where they do. */
export const notShared = (withheld: number, category: ResourceScope): string | null =>
  isWithheld(withheld, category) ? `The patient does not share ${NAMES[category]}.` : null;

/** What an answer may speak for, at the beginning of a sentence. */
export const theRecord = (withheld: number): string =>
  withheld === 0 ? 'This record' : 'What is shared of this record';

/** The same within a sentence: "in this record", "in the record". */
export const inRecord = (withheld: number, record: 'the record' | 'this record' = 'this record'): string =>
  withheld === 0 ? `in ${record}` : 'in what is shared of this record';

/** A section of a summary in which nothing is. */
export function noneRecorded(withheld: number, category: ResourceScope): string {
  if (isWithheld(withheld, category)) return 'Not shared by the patient.';
  return withheld === 0 ? 'None recorded.' : 'None recorded in what is shared.';
}

/** After a plural: "No active conditions recorded." */
export const recorded = (withheld: number): string =>
  withheld === 0 ? 'recorded' : 'recorded in what is shared';
