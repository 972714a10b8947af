import type { ParsedResource } from '../store/found-resource.ts';
import type { Entry } from './entry.ts';
import { buildAllergyIntolerance } from './allergy-intolerance.ts';
import { buildComposition } from './composition.ts';
import { buildCondition } from './condition.ts';
import { listContainedResults, toContainerEntry } from './contained-results.ts';
import { buildDiagnosticReport } from './diagnostic-report.ts';
import { buildDocumentReference } from './document-reference.ts';
import { buildEncounter } from './encounter.ts';
import { buildImmunization } from './immunization.ts';
import { buildMedicationAdministration } from './medication-administration.ts';
import { buildMedicationDispense } from './medication-dispense.ts';
import { buildMedicationRequest } from './medication-request.ts';
import { buildMedicationStatement } from './medication-statement.ts';
import { buildObservation } from './observation.ts';
import { readAsR4 } from './read-as-r4.ts';
import { markModified } from './modifiers.ts';
import { addNarrative } from './narrative.ts';
import { isInError } from './objection.ts';
import { markOtherSubject } from './other-subject.ts';
import { buildOther } from './other.ts';
import { buildProcedure } from './procedure.ts';
import { buildQuestionnaireResponse } from './questionnaire-response.ts';
import type { Element } from './element.ts';
import { isResolvable } from './reference.ts';
import { isRelative, readReference } from './reference-text.ts';
import type { BuildContext, EntryBuilder, EntryInput } from './entry-builder.ts';
import { addUnreadDates } from './unread-dates.ts';

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
export function buildEntries(written: ParsedResource, context: BuildContext): Entry[] {
  const resource = readAsR4(written);
  if (hasNoEntries(resource)) return [];
  const build = BUILDERS.get(resource.resourceType) ?? buildOther;
  return [
    ...complete(build, { resource, context }),
    ...listContainedResults(resource).flatMap((result) =>
      complete(buildObservation, { resource: result, context }).map((entry) =>
        toContainerEntry(entry, resource),
      ),
    ),
  ];
}

/** Builds entries, and adds to them what any resource may say. */
function complete(build: EntryBuilder, input: EntryInput): Entry[] {
  const { resource } = input;
  const entries = markOtherSubject(input, addNarrative(resource, build(input)));
  return addUnreadDates(resource, markModified(resource, entries));
}

const hasNoEntries = (resource: ParsedResource): boolean =>
  INFRASTRUCTURE.has(resource.resourceType) || isInError(resource);

/**
 * Returns the `Type/id` references that `buildEntries` may resolve: all in the resource that name a type which is looked up.
 * Building the entries once more, to see which of them they ask for, took a sixth of an import.
 */
export const findRequiredReferences = (resource: ParsedResource): string[] =>
  hasNoEntries(resource) ? [] : listLookedUp(resource);

function listLookedUp(value: unknown): string[] {
  const found = new Set<string>();
  const pending: unknown[] = [value];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node === 'string') addLookedUp(found, node);
    else if (Array.isArray(node)) {
      for (const member of node as unknown[]) if (member !== undefined) pending.push(member);
    } else if (typeof node === 'object' && node !== null)
      for (const name in node) {
        const value = (node as Element)[name];
        if (value !== undefined) pending.push(value);
      }
  }
  return [...found];
}

/** The longest reference to a version has 64 + 64 + 64 characters and what stands between them; texts are longer. */
const MAX_REFERENCE = 300;

/** What is before the first slash: an address ends with a colon there. */
const LETTER = /[A-Za-z]/;

function addLookedUp(found: Set<string>, text: string): void {
  const slash = text.length > MAX_REFERENCE ? -1 : text.indexOf('/');
  if (slash < 1 || !LETTER.test(text[slash - 1] ?? '')) return;
  const reference = readReference(text);
  if (reference !== null && isResolvable(reference) && isRelative(reference)) found.add(reference);
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
