import type { Words } from '../words/en.ts';

/**
 * What entries are to a person: the categories of data, and coarser kinds for what a FHIR type alone does not
 * distinguish.
 */
export type EntryKind = keyof Words['myData']['activity']['kinds'];

/** The types of FHIR R4 that hospitals provide; any other type is of the kind `OTHER`. */
const TYPES_BY_KIND: Partial<Record<EntryKind, string>> = {
  DEMOGRAPHICS: 'Patient Person RelatedPerson',
  ALLERGIES: 'AllergyIntolerance AdverseEvent',
  DIAGNOSES: 'Condition',
  MEDICATIONS:
    'Medication MedicationRequest MedicationStatement MedicationDispense MedicationAdministration MedicationKnowledge',
  IMMUNIZATIONS: 'Immunization ImmunizationEvaluation ImmunizationRecommendation',
  PROCEDURES: 'Procedure',
  VISITS: 'Encounter EpisodeOfCare Appointment AppointmentResponse',
  MEASUREMENTS: 'Observation',
  DIAGNOSTIC_REPORTS: 'DiagnosticReport',
  IMAGING: 'ImagingStudy Media',
  CLINICAL_NOTES: 'DocumentReference Composition DocumentManifest ClinicalImpression',
  TREATMENT_PLAN: 'CarePlan CareTeam Goal ServiceRequest NutritionOrder RequestGroup',
  GENOMIC_DATA: 'MolecularSequence',
  FAMILY_HISTORY: 'FamilyMemberHistory',
  ADMINISTRATIVE_AND_BILLING:
    'Account Claim ClaimResponse Contract Coverage ExplanationOfBenefit ChargeItem Invoice PaymentNotice',
  CARE_PROVIDERS: 'Practitioner PractitionerRole Organization Location HealthcareService',
};

const KIND_BY_TYPE: ReadonlyMap<string, EntryKind> = new Map(
  Object.entries(TYPES_BY_KIND).flatMap(([kind, types]) =>
    types.split(' ').map((type) => [type, kind as EntryKind]),
  ),
);

export const toEntryKind = (type: string): EntryKind => KIND_BY_TYPE.get(type) ?? 'OTHER';
