import type { ParsedResource } from './found-resource.ts';
import type { Entry } from './entry.ts';
import { allergyIntolerance } from './project/allergy-intolerance.ts';
import { composition } from './project/composition.ts';
import { condition } from './project/condition.ts';
import { diagnosticReport } from './project/diagnostic-report.ts';
import { documentReference } from './project/document-reference.ts';
import { statusCode } from './project/codeable-concept.ts';
import { encounter } from './project/encounter.ts';
import { immunization } from './project/immunization.ts';
import { medicationAdministration } from './project/medication-administration.ts';
import { medicationDispense } from './project/medication-dispense.ts';
import { medicationRequest } from './project/medication-request.ts';
import { medicationStatement } from './project/medication-statement.ts';
import { observation } from './project/observation.ts';
import { other } from './project/other.ts';
import { procedure } from './project/procedure.ts';
import { isRelative } from './project/reference-text.ts';
import type { ProjectionContext, Projector } from './project/source.ts';

export { categoryOf } from './project/category.ts';
export { ownLabel } from './project/own-label.ts';
export type { ProjectionContext } from './project/source.ts';

const PROJECTORS = new Map<unknown, Projector>([
  ['AllergyIntolerance', allergyIntolerance],
  ['Composition', composition],
  ['Condition', condition],
  ['DiagnosticReport', diagnosticReport],
  ['DocumentReference', documentReference],
  ['Encounter', encounter],
  ['Immunization', immunization],
  ['MedicationAdministration', medicationAdministration],
  ['MedicationDispense', medicationDispense],
  ['MedicationRequest', medicationRequest],
  ['MedicationStatement', medicationStatement],
  ['Observation', observation],
  ['Procedure', procedure],
]);

/** What others refer to, or what records are made with: nothing a reader looks for by itself. */
const INFRASTRUCTURE = new Set<unknown>(
  [
    'Patient Person Practitioner PractitionerRole Organization OrganizationAffiliation Location HealthcareService',
    'Medication Substance Group Endpoint Schedule Slot Provenance AuditEvent Bundle Binary Parameters',
    'OperationOutcome MessageHeader Subscription Linkage Library PlanDefinition ActivityDefinition Measure',
    'MeasureReport Questionnaire ValueSet CodeSystem ConceptMap StructureDefinition CapabilityStatement',
    'SearchParameter OperationDefinition ImplementationGuide NamingSystem GraphDefinition CompartmentDefinition',
  ].flatMap((line) => line.split(' ')),
);

/** The entries of one resource. Total: whatever a resource looks like, it gives entries or none, and never throws. */
export function project(resource: ParsedResource, context: ProjectionContext): Entry[] {
  if (INFRASTRUCTURE.has(resource.resourceType) || isInError(resource)) return [];
  const projector = PROJECTORS.get(resource.resourceType) ?? other;
  return projector({ resource, context });
}

/** Entered in error: kept in the record, never shown by a tool. */
function isInError(resource: ParsedResource): boolean {
  return ['status', 'verificationStatus', 'clinicalStatus', 'lifecycleStatus'].some(
    (name) => statusCode(resource[name]) === 'entered-in-error',
  );
}

/**
 * The `Type/id` references that `project` asks its context for. It is found by projecting with a context that knows
 * nothing and takes down the questions, so that the two can't drift apart.
 */
export function neededReferences(resource: ParsedResource): string[] {
  const asked = new Set<string>();
  project(resource, {
    resolve(reference) {
      asked.add(reference);
      return null;
    },
  });
  return [...asked].filter(isRelative);
}
