import type { ResourceScope } from '../../../contract/data-categories.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { memoizeRecent } from '../../platform/kernel/memoize-recent.ts';
import { categorizeObservation } from './observation-kind.ts';
import { categorizeReport } from './report-category.ts';
import { isSocialFinding } from './social-findings.ts';

/** Types that belong to one category whatever they say. */
const TYPES_BY_CATEGORY: [ResourceScope, string][] = [
  ['DEMOGRAPHICS', 'Patient Person'],
  ['CONTACT_INFO', 'RelatedPerson'],
  [
    'MEDICATIONS',
    'Medication MedicationRequest MedicationStatement MedicationAdministration MedicationDispense MedicationUsage MedicationKnowledge DetectedIssue',
  ],
  ['ALLERGIES', 'AllergyIntolerance AdverseEvent'],
  ['DIAGNOSES', 'ClinicalImpression RiskAssessment Flag EpisodeOfCare'],
  ['LABS', 'Specimen BiologicallyDerivedProduct'],
  ['CLINICAL_NOTES', 'DocumentReference DocumentManifest Composition Binary Communication List'],
  ['VISITS', 'Encounter Appointment AppointmentResponse'],
  ['PROCEDURES', 'Procedure Device DeviceUseStatement DeviceMetric'],
  ['IMMUNIZATIONS', 'Immunization ImmunizationEvaluation ImmunizationRecommendation'],
  ['IMAGING', 'ImagingStudy Media BodyStructure'],
  [
    'TREATMENT_PLAN',
    'CarePlan CareTeam Goal ServiceRequest RequestGroup CommunicationRequest DeviceRequest NutritionOrder VisionPrescription SupplyRequest SupplyDelivery Task ResearchSubject',
  ],
  ['GENOMIC_DATA', 'MolecularSequence GenomicStudy'],
  ['FAMILY_HISTORY', 'FamilyMemberHistory'],
  ['SOCIAL_HISTORY', 'QuestionnaireResponse'],
];
const CATEGORY_BY_TYPE = new Map<string, ResourceScope>(
  TYPES_BY_CATEGORY.flatMap(([category, types]) => types.split(' ').map((type) => [type, category] as const)),
);

/**
 * Returns the consent category of any resource: `$everything` filters by it, and its entries carry it. Types that are not
 * named here (claims, coverage, consents, practitioners, provenance, types yet to come) are administration.
 */
export const categorizeResource: (resource: ParsedResource) => ResourceScope =
  // Each entry of a resource asks, and its labels, of the whole and of what is left of it without some parts.
  memoizeRecent(4, findCategory);

function findCategory(resource: ParsedResource): ResourceScope {
  if (resource.resourceType === 'Observation') return categorizeObservation(resource);
  if (resource.resourceType === 'DiagnosticReport') return categorizeReport(resource);
  if (resource.resourceType === 'Condition')
    return isSocialFinding(resource) ? 'SOCIAL_HISTORY' : 'DIAGNOSES';
  return categorizeType(resource.resourceType);
}

/** Returns the category of a type whose resources are all of one. */
export const categorizeType = (type: string): ResourceScope =>
  CATEGORY_BY_TYPE.get(type) ?? 'ADMINISTRATIVE_AND_BILLING';
