import type { ParsedResource } from '../store/found-resource.ts';
import type { Entry } from './entry.ts';
import { buildAllergyIntolerance } from './allergy-intolerance.ts';
import { buildComposition } from './composition.ts';
import { buildCondition } from './condition.ts';
import { buildDiagnosticReport } from './diagnostic-report.ts';
import { buildDocumentReference } from './document-reference.ts';
import { readStatusCode } from './codeable-concept.ts';
import { buildEncounter } from './encounter.ts';
import { buildImmunization } from './immunization.ts';
import { buildMedicationAdministration } from './medication-administration.ts';
import { buildMedicationDispense } from './medication-dispense.ts';
import { buildMedicationRequest } from './medication-request.ts';
import { buildMedicationStatement } from './medication-statement.ts';
import { buildObservation } from './observation.ts';
import { buildOther } from './other.ts';
import { buildProcedure } from './procedure.ts';
import { buildQuestionnaireResponse } from './questionnaire-response.ts';
import { isRelative } from './reference-text.ts';
import type { BuildContext, EntryBuilder } from './entry-builder.ts';

const BUILDERS = new Map<unknown, EntryBuilder>([
  ['AllergyIntolerance', buildAllergyIntolerance],
  ['Composition', buildComposition],
  ['Condition', buildCondition],
  ['DiagnosticReport', buildDiagnosticReport],
  ['DocumentReference', buildDocumentReference],
  ['Encounter', buildEncounter],
  ['Immunization', buildImmunization],
  ['MedicationAdministration', buildMedicationAdministration],
  ['MedicationDispense', buildMedicationDispense],
  ['MedicationRequest', buildMedicationRequest],
  ['MedicationStatement', buildMedicationStatement],
  ['Observation', buildObservation],
  ['Procedure', buildProcedure],
  ['QuestionnaireResponse', buildQuestionnaireResponse],
]);

/** Types that others refer to, or that records are administered with: nothing a reader looks for by itself. */
const INFRASTRUCTURE = new Set<unknown>(
  [
    'Patient Person Practitioner PractitionerRole Organization OrganizationAffiliation Location HealthcareService',
    'Medication Substance Group Endpoint Schedule Slot Provenance AuditEvent Bundle Binary Parameters',
    'OperationOutcome MessageHeader Subscription Linkage Library PlanDefinition ActivityDefinition Measure',
    'MeasureReport Questionnaire ValueSet CodeSystem ConceptMap StructureDefinition CapabilityStatement',
    'SearchParameter OperationDefinition ImplementationGuide NamingSystem GraphDefinition CompartmentDefinition',
  ].flatMap((line) => line.split(' ')),
);

/** Builds the entries of one resource; whatever the resource looks like, it returns entries or none, and never throws. */
export function buildEntries(resource: ParsedResource, context: BuildContext): Entry[] {
  if (INFRASTRUCTURE.has(resource.resourceType) || isInError(resource)) return [];
  const build = BUILDERS.get(resource.resourceType) ?? buildOther;
  return build({ resource, context });
}

/** A resource entered in error stays in the record, and no tool shows it. */
function isInError(resource: ParsedResource): boolean {
  return ['status', 'verificationStatus', 'clinicalStatus', 'lifecycleStatus'].some(
    (name) => readStatusCode(resource[name]) === 'entered-in-error',
  );
}

/**
 * Returns the `Type/id` references that `buildEntries` resolves, by building the entries with a context that resolves
 * nothing and records the references, so that the two cannot drift apart.
 */
export function findRequiredReferences(resource: ParsedResource): string[] {
  const requested = new Set<string>();
  buildEntries(resource, {
    resolve(reference) {
      requested.add(reference);
      return null;
    },
  });
  return [...requested].filter(isRelative);
}

/** Returns the visits whose dates `buildEntries` borrows. */
export function findLendingVisits(resource: ParsedResource): string[] {
  const requested: string[] = [];
  if (resource.resourceType !== 'Condition') return requested;
  buildEntries(resource, {
    resolve: () => null,
    getVisitDate(reference) {
      requested.push(reference);
      return null;
    },
  });
  return requested;
}
