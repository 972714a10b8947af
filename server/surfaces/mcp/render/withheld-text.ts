import type { DataMask } from '../../../../contract/brands.ts';
import { ResourceScope } from '../../../../contract/data-categories.ts';
import { labelBit, listCategories, listWithheldClasses } from '../../../consent/access/sensitivity-labels.ts';
import type { Kind } from '../../../clinical/entries/entry.ts';
import { joinParagraphs } from './markdown.ts';

/**
 * What answers say about data that the patient does not share. It follows from the consent alone, never from the record: an
 * answer reads the same whether or not the record holds what is withheld. Where nothing is withheld, nothing is said.
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
  'Specially protected information is included only where the patient chose to share it; this does not indicate whether the record holds any.';

/** 42 CFR 2.32 (a)(2): the short notice that accompanies every disclosure. */
const PART_2_NOTICE = '42 CFR part 2 prohibits unauthorized use or disclosure of these records.';

/** Renders the note of every answer under a consent that withholds something; else returns null. */
export function renderWithheldNote(withheld: DataMask): string | null {
  if (withheld === 0) return null;
  const categories = listCategories(withheld).map((name) => capitalize(CATEGORY_NAMES[name]));
  return joinParagraphs(
    categories.length === 0
      ? null
      : `Not shared by the patient: ${categories.join(', ')} (${categories.length} of ${ResourceScope.options.length} categories).`,
    listWithheldClasses(withheld).length === 0 ? null : RESTRICTED_NOTE,
    withheld & labelBit('SUD_PART_2') ? null : PART_2_NOTICE,
  );
}

export const isWithheld = (withheld: DataMask, category: ResourceScope): boolean =>
  (withheld & labelBit(category)) !== 0;

/** "The patient does not share allergies."; null when the patient does. */
export const renderNotShared = (withheld: DataMask, category: ResourceScope): string | null =>
  isWithheld(withheld, category) ? `The patient does not share ${CATEGORY_NAMES[category]}.` : null;

/** Names what an answer covers, at the beginning of a sentence. */
export const renderRecordName = (withheld: DataMask): string =>
  withheld === 0 ? 'This record' : 'The shared part of this record';

/** Names what an answer covers, within a sentence: "in this record", "in the record". */
export const renderInRecord = (
  withheld: DataMask,
  record: 'the record' | 'this record' = 'this record',
): string => (withheld === 0 ? `in ${record}` : 'in the shared part of this record');

/** The text of a section of the summary without entries. */
export function renderNoneRecorded(withheld: DataMask, category: ResourceScope): string {
  if (isWithheld(withheld, category)) return 'Not shared by the patient.';
  return withheld === 0 ? 'None recorded.' : 'None recorded in the shared part.';
}

/** The category that most entries of a kind belong to. */
export const CATEGORY_BY_KIND: Readonly<Record<Kind, ResourceScope>> = {
  condition: 'DIAGNOSES',
  medication: 'MEDICATIONS',
  lab: 'LABS',
  vital: 'CLINICAL_VITALS',
  allergy: 'ALLERGIES',
  procedure: 'PROCEDURES',
  immunization: 'IMMUNIZATIONS',
  visit: 'VISITS',
  note: 'CLINICAL_NOTES',
  social_history: 'SOCIAL_HISTORY',
  survey: 'SOCIAL_HISTORY',
  care_team: 'TREATMENT_PLAN',
  care_plan: 'TREATMENT_PLAN',
  goal: 'TREATMENT_PLAN',
  device: 'PROCEDURES',
  family_history: 'FAMILY_HISTORY',
  imaging: 'IMAGING',
  order: 'TREATMENT_PLAN',
  coverage: 'ADMINISTRATIVE_AND_BILLING',
  document: 'CLINICAL_NOTES',
  other: 'DIAGNOSTIC_REPORTS',
};

/** Drops the reason of the note where something is withheld, because the record may hold what the answer does not show. */
export const renderAbsenceNote = (absenceNote: string, withheld: DataMask): string =>
  withheld === 0 ? absenceNote : absenceNote.replace(/:.*$/, '.');

/** After a plural: "No active conditions recorded." */
export const renderRecorded = (withheld: DataMask): string =>
  withheld === 0 ? 'recorded' : 'recorded in the shared part';
