import type { ResourceScope } from '../../../contract/data-categories.ts';
import { categorizeResource } from '../entries/category.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { hasContact, PERSON_TYPES } from './contact-elements.ts';

/**
 * Types that are part of whatever names or contains them: who did something, where, with what it is defined by. They hold
 * nothing about the patient, and belong to what was done whether or not administration is shared.
 */
export const PART_TYPES: ReadonlySet<string> = new Set(
  [
    'Endpoint HealthcareService Location Organization OrganizationAffiliation Practitioner PractitionerRole',
    'ActivityDefinition CapabilityStatement ChargeItemDefinition CodeSystem ConceptMap EventDefinition Evidence',
    'EvidenceVariable Group Library Measure ObservationDefinition OperationDefinition PlanDefinition',
    'Questionnaire ResearchDefinition SearchParameter SpecimenDefinition StructureDefinition Substance ValueSet',
  ].flatMap((line) => line.split(' ')),
);

/** Returns the categories that a consent must cover for a resource inside of another one to be shown. */
export function categorizeNested(resource: ParsedResource): ResourceScope[] {
  if (PART_TYPES.has(resource.resourceType) || isContainer(resource)) return [];
  const category = categorizeResource(resource);
  return PERSON_TYPES.has(resource.resourceType) && hasContact(resource)
    ? [category, 'CONTACT_INFO']
    : [category];
}

/** A Bundle says nothing by itself: it is its entries, which are nested as well. */
const isContainer = ({ resourceType, ...elements }: ParsedResource): boolean =>
  (resourceType === 'Bundle' && 'entry' in elements) ||
  (resourceType === 'Parameters' && 'parameter' in elements);
