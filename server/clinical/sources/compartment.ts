/**
 * The Patient compartment of FHIR R4 (CompartmentDefinition/patient): by type the search parameters that lead to a
 * patient, in the order they are tried. Types of administration, without clinical content, are left out.
 */
export const COMPARTMENT: ReadonlyMap<string, readonly string[]> = new Map([
  ...[
    'AllergyIntolerance',
    'CarePlan',
    'CareTeam',
    'ClinicalImpression',
    'Communication',
    'Composition',
    'Condition',
    'Consent',
    'DetectedIssue',
    'Device',
    'DeviceRequest',
    'DeviceUseStatement',
    'DiagnosticReport',
    'DocumentReference',
    'Encounter',
    'EpisodeOfCare',
    'FamilyMemberHistory',
    'Flag',
    'Goal',
    'ImagingStudy',
    'Immunization',
    'ImmunizationEvaluation',
    'ImmunizationRecommendation',
    'List',
    'Media',
    'MedicationAdministration',
    'MedicationDispense',
    'MedicationRequest',
    'MedicationStatement',
    'MolecularSequence',
    'NutritionOrder',
    'Observation',
    'Procedure',
    'QuestionnaireResponse',
    'RelatedPerson',
    'RiskAssessment',
    'ServiceRequest',
    'Specimen',
    'SupplyDelivery',
    'SupplyRequest',
    'Task',
    'VisionPrescription',
    'BodyStructure',
    'Claim',
    'ClaimResponse',
    'ExplanationOfBenefit',
    'Account',
    'ChargeItem',
    'Invoice',
    'Provenance',
    'AdverseEvent',
    'RequestGroup',
  ].map((type): [string, string[]] => [type, ['patient', 'subject']]),
  ['Appointment', ['patient', 'actor']],
  ['Coverage', ['patient', 'beneficiary']],
  ['ResearchSubject', ['patient', 'individual']],
]);

/** Elements that name the patient among others, who are no patients: who answers an invitation. */
export const SHARED_OWNER_ELEMENTS = ['actor'] as const;

/** The same within another element: who comes to an appointment, who is in a group, whom a Person is. */
export const INNER_OWNER_ELEMENTS = [
  ['participant', 'actor'],
  ['member', 'entity'],
  ['link', 'target'],
] as const;

/** Types outside the compartment that its resources refer to. */
export const REFERENCED_TYPES: ReadonlySet<string> = new Set([
  'Organization',
  'Practitioner',
  'PractitionerRole',
  'Location',
  'Medication',
]);
