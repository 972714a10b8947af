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
export function buildEntries(resource: ParsedResource, context: BuildContext): Entry[] {
  if (INFRASTRUCTURE.has(resource.resourceType) || isInError(resource)) return [];
  const build = BUILDERS.get(resource.resourceType) ?? buildOther;
  return build({ resource, context });
}

/** Entered in error: kept in the record, never shown by a tool. */
function isInError(resource: ParsedResource): boolean {
  return ['status', 'verificationStatus', 'clinicalStatus', 'lifecycleStatus'].some(
    (name) => readStatusCode(resource[name]) === 'entered-in-error',
  );
}

/**
 * The `Type/id` references that `project` asks its context for. It is found by projecting with a context that knows
 * nothing and takes down the questions, so that the two can't drift apart.
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
