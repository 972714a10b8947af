import type { ClinicalPeriod } from '../store/clinical-periods.sql.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { getPath, toArray } from './element.ts';
import { readAsR4 } from './read-as-r4.ts';
import { parseDayRange, type DayRange } from './partial-date.ts';
import { readStatusCode } from './status-code.ts';

const BEGINNING_OF_TIME = '-infinity';
const END_OF_TIME = 'infinity';
const ALL_TIME: ClinicalPeriod = { first: BEGINNING_OF_TIME, last: END_OF_TIME };

/**
 * The elements that date the care, the best first: those of R4's date search parameters
 * (https://hl7.org/fhir/R4/searchparameter-registry.html), and what else says when. A choice is named without its type.
 * Who, where and with what (Patient, Practitioner, Location, Medication, Device) has no date of care, neither has
 * Provenance, which says when something was written down.
 */
export const ELEMENTS_BY_TYPE: ReadonlyMap<unknown, readonly string[]> = new Map(
  Object.entries({
    Account: 'servicePeriod',
    AdverseEvent: 'date detected recordedDate',
    AllergyIntolerance: 'onset recordedDate lastOccurrence',
    BiologicallyDerivedProduct: 'collection.collected',
    CarePlan: 'period created',
    CareTeam: 'period',
    ChargeItem: 'occurrence enteredDate',
    Claim: 'billablePeriod created',
    ClaimResponse: 'created',
    ClinicalImpression: 'effective date',
    Communication: 'sent received',
    CommunicationRequest: 'occurrence authoredOn',
    Composition: 'date',
    Condition: 'onset recordedDate',
    Consent: 'dateTime',
    Contract: 'applies issued',
    Coverage: 'period',
    CoverageEligibilityRequest: 'serviced created',
    CoverageEligibilityResponse: 'serviced created',
    DetectedIssue: 'identified',
    DeviceRequest: 'occurrence authoredOn',
    DeviceUseStatement: 'timing recordedOn',
    DiagnosticReport: 'effective issued',
    DocumentManifest: 'created',
    DocumentReference: 'context.period date',
    Encounter: 'period',
    EpisodeOfCare: 'period',
    ExplanationOfBenefit: 'billablePeriod created',
    FamilyMemberHistory: 'date',
    Flag: 'period',
    Goal: 'start statusDate',
    GuidanceResponse: 'occurrence',
    ImagingStudy: 'started',
    Immunization: 'occurrence recorded',
    ImmunizationEvaluation: 'date',
    ImmunizationRecommendation: 'date',
    Invoice: 'date',
    List: 'date',
    MeasureReport: 'period date',
    Media: 'created issued',
    MedicationAdministration: 'effective',
    MedicationDispense: 'whenHandedOver whenPrepared',
    MedicationRequest: 'authoredOn',
    MedicationStatement: 'effective dateAsserted',
    NutritionOrder: 'dateTime',
    Observation: 'effective issued',
    Procedure: 'performed',
    QuestionnaireResponse: 'authored',
    RequestGroup: 'authoredOn',
    RiskAssessment: 'occurrence',
    ServiceRequest: 'occurrence authoredOn',
    Specimen: 'collection.collected receivedTime',
    SupplyDelivery: 'occurrence',
    SupplyRequest: 'occurrence authoredOn',
    Task: 'executionPeriod authoredOn',
    VisionPrescription: 'dateWritten created',
  }).map(([type, names]) => [type, names.split(' ')]),
);

/** What lasts from its date on, until it states otherwise: an allergy of 1990 matters in every later year. */
const LASTING: ReadonlySet<unknown> = new Set([
  'AllergyIntolerance',
  'Condition',
  'Goal',
  'MedicationRequest',
  'MedicationStatement',
]);

const ONGOING: ReadonlySet<string | null> = new Set(['active', 'recurrence', 'relapse', 'accepted']);

/** Statuses of what is over, whatever end its period lacks. */
const OVER: ReadonlySet<string | null> = new Set(
  [
    'finished completed discharged discontinued cancelled canceled stopped ended revoked rejected inactive resolved remission abandoned',
    'not-done not-taken fulfilled noshow failed entered-in-error',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Returns the clinical period of a resource, all time for one that states none, by the calendar of the record: a day is
 * the one that was written, whatever its zone, and a year is all of its days. A period without an end lasts
 * (https://hl7.org/fhir/R4/search.html#date), unless the status says that it is over.
 */
export function findClinicalPeriod(written: ParsedResource): ClinicalPeriod {
  const resource = readAsR4(written);
  if (resource.resourceType === 'Appointment' || resource.resourceType === 'AppointmentResponse')
    return parsePeriod(resource, resource) ?? ALL_TIME;
  for (const name of ELEMENTS_BY_TYPE.get(resource.resourceType) ?? []) {
    const found = readChoice(resource, name.split('.'));
    if (found) return extend(found, resource);
  }
  return ALL_TIME;
}

export const CHOICE_TYPES = ['', 'DateTime', 'Date', 'Instant', 'Period', 'Timing'];

function readChoice(resource: ParsedResource, path: readonly string[]): ClinicalPeriod | null {
  const [name = ''] = path.slice(-1);
  const parent = getPath(resource, ...path.slice(0, -1));
  for (const type of CHOICE_TYPES) {
    const found = readDates(getPath(parent, `${name}${type}`), resource);
    if (found) return found;
  }
  return null;
}

/** Reads a date, a Period or a Timing; several dates, such as those of a Timing, span what lies between. */
function readDates(value: unknown, resource: ParsedResource): ClinicalPeriod | null {
  // Of the six types of a choice five are not there.
  if (value === undefined) return null;
  const dates = toArray(value)
    .map((each) => parseDayRange(each))
    .filter((each) => each !== null);
  if (dates.length > 0) return span(dates);
  const events = getPath(value, 'event');
  if (events !== undefined) return readDates(events, resource);
  return parsePeriod(getPath(value, 'repeat', 'boundsPeriod') ?? value, resource);
}

function parsePeriod(value: unknown, resource: ParsedResource): ClinicalPeriod | null {
  const start = parseDayRange(getPath(value, 'start'));
  const end = parseDayRange(getPath(value, 'end'));
  if (start && end) return span([start, end]);
  if (end) return { first: BEGINNING_OF_TIME, last: end.last };
  if (!start) return null;
  return isOver(resource) ? start : { first: start.first, last: END_OF_TIME };
}

/** Spans ranges in any order: a period whose end is before its start is one that was written the wrong way round. */
const span = (ranges: readonly DayRange[]): ClinicalPeriod => ({
  first: ranges.map(({ first }) => first).sort()[0] as string,
  last: ranges
    .map(({ last }) => last)
    .sort()
    .at(-1) as string,
});

/** Extends a date by the abatement, or without an end where the resource lasts and goes on. */
function extend(found: ClinicalPeriod, resource: ParsedResource): ClinicalPeriod {
  if (!LASTING.has(resource.resourceType) || found.last === END_OF_TIME) return found;
  const abatement = readChoice(resource, ['abatement']);
  if (abatement) return span([found, abatement]);
  return ONGOING.has(readStatus(resource)) ? { ...found, last: END_OF_TIME } : found;
}

const isOver = (resource: ParsedResource): boolean => OVER.has(readStatus(resource));

const readStatus = (resource: ParsedResource): string | null =>
  readStatusCode(resource['clinicalStatus']) ??
  readStatusCode(resource['lifecycleStatus']) ??
  readStatusCode(resource['status']);
