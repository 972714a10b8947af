import { ResourceScope } from '../../../../contract/data-categories.ts';
import {
  labelBit,
  listWithheldCategories,
  listWithheldClasses,
} from '../../../consent/access/sensitivity-labels.ts';
import { joinParagraphs } from './markdown.ts';

/**
 * What answers say of what the patient does not share. All of it follows from the consent alone and none from the record:
 * an answer reads the same whether the record holds what is withheld or not. Where nothing is withheld, nothing is said.
 */
const CATEGORY_NAMES: Readonly<Record<ResourceScope, string>> = {
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

const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const RESTRICTED_NOTE =
  'Specially protected information is included only where the patient chose to share it; this does not tell whether the record holds any.';

/** 42 CFR 2.32 (a)(2), the short notice that goes with every disclosure. */
const PART_2_NOTICE = '42 CFR part 2 prohibits unauthorized use or disclosure of these records.';

/** One paragraph or more of every answer under a consent that leaves something out; else null. */
export function renderWithheldNote(withheld: number): string | null {
  if (withheld === 0) return null;
  const categories = listWithheldCategories(withheld).map((name) => capitalize(CATEGORY_NAMES[name]));
  return joinParagraphs(
    categories.length === 0
      ? null
      : `Not shared by the patient: ${categories.join(', ')} (${categories.length} of ${ResourceScope.options.length} categories).`,
    listWithheldClasses(withheld).length === 0 ? null : RESTRICTED_NOTE,
    withheld & labelBit('SUD_PART_2') ? null : PART_2_NOTICE,
  );
}

const isWithheld = (withheld: number, category: ResourceScope): boolean =>
  (withheld & labelBit(category)) !== 0;

/** "The patient does not share allergies."; null where they do. */
export const renderNotShared = (withheld: number, category: ResourceScope): string | null =>
  isWithheld(withheld, category) ? `The patient does not share ${CATEGORY_NAMES[category]}.` : null;

/** What an answer may speak for, at the beginning of a sentence. */
export const renderRecordName = (withheld: number): string =>
  withheld === 0 ? 'This record' : 'What is shared of this record';

/** The same within a sentence: "in this record", "in the record". */
export const renderInRecord = (
  withheld: number,
  record: 'the record' | 'this record' = 'this record',
): string => (withheld === 0 ? `in ${record}` : 'in what is shared of this record');

/** A section of a summary in which nothing is. */
export function renderNoneRecorded(withheld: number, category: ResourceScope): string {
  if (isWithheld(withheld, category)) return 'Not shared by the patient.';
  return withheld === 0 ? 'None recorded.' : 'None recorded in what is shared.';
}

/** After a plural: "No active conditions recorded." */
export const renderRecorded = (withheld: number): string =>
  withheld === 0 ? 'recorded' : 'recorded in what is shared';
