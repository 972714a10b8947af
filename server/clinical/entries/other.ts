import type { ParsedResource } from '../store/found-resource.ts';
import { readAbsence } from './absent-statements.ts';
import { formatAnnotations } from './annotation.ts';
import { toCodeKey, formatConcept, formatConcepts, LOINC, SNOMED } from './codeable-concept.ts';
import { getPath, toElement, toElements, joinPresent, readText } from './element.ts';
import { buildEntryBase, formatResourceType, type EntryFacts } from './entry-base.ts';
import { isForbidden } from './modifiers.ts';
import { describeAdverseEvent } from './other/adverse-event.ts';
import { describeAppointment } from './other/appointment.ts';
import { describeBodyStructure, describeSpecimen } from './other/body.ts';
import { describeCarePlan } from './other/care-plan.ts';
import { describeCareTeam } from './other/care-team.ts';
import { describeClaim } from './other/claim.ts';
import { describeClinicalImpression } from './other/clinical-impression.ts';
import { describeConsent } from './other/consent.ts';
import { describeCoverage } from './other/coverage.ts';
import { describeDetectedIssue } from './other/detected-issue.ts';
import { describeDevice } from './other/device.ts';
import { describeFamilyMemberHistory } from './other/family-member-history.ts';
import { describeGoal } from './other/goal.ts';
import { describeImagingStudy } from './other/imaging-study.ts';
import {
  describeImmunizationEvaluation,
  describeImmunizationRecommendation,
} from './other/immunization-forecast.ts';
import { describeList } from './other/list.ts';
import { formatModality } from './other/modality.ts';
import { describeNutritionOrder } from './other/nutrition-order.ts';
import { describeRiskAssessment } from './other/risk-assessment.ts';
import { describeServiceRequest } from './other/service-request.ts';
import { describeSupply } from './other/supply.ts';
import { describeVisionPrescription } from './other/vision-prescription.ts';
import { readOwnNarrative } from './narrative.ts';
import { getRecordKind } from './record-kind.ts';
import { resolveDisplay, resolveDisplays } from './reference.ts';
import type { Description, EntryBuilder, EntryInput } from './entry-builder.ts';
import { findEndDate, findFirstDate } from './partial-date.ts';
import { readStatusCode } from './status-code.ts';
import { describeStatusReason } from './status-reason.ts';
import { formatTiming } from './timing.ts';

const DESCRIPTIONS = new Map<string, (input: EntryInput) => Description>([
  ['AdverseEvent', describeAdverseEvent],
  ['Appointment', describeAppointment],
  ['BodyStructure', describeBodyStructure],
  ['CarePlan', describeCarePlan],
  ['CareTeam', describeCareTeam],
  ['Claim', describeClaim],
  ['ClinicalImpression', describeClinicalImpression],
  ['Consent', describeConsent],
  ['Coverage', describeCoverage],
  ['DetectedIssue', describeDetectedIssue],
  ['Device', describeDevice],
  ['DeviceRequest', describeSupply],
  ['ExplanationOfBenefit', describeClaim],
  ['FamilyMemberHistory', describeFamilyMemberHistory],
  ['Goal', describeGoal],
  ['ImagingStudy', describeImagingStudy],
  ['ImmunizationEvaluation', describeImmunizationEvaluation],
  ['ImmunizationRecommendation', describeImmunizationRecommendation],
  ['List', describeList],
  ['NutritionOrder', describeNutritionOrder],
  ['RiskAssessment', describeRiskAssessment],
  ['ServiceRequest', describeServiceRequest],
  ['Specimen', describeSpecimen],
  ['SupplyDelivery', describeSupply],
  ['SupplyRequest', describeSupply],
  ['VisionPrescription', describeVisionPrescription],
]);

/** Builds the entry of a type without a kind of its own: search finds it by its title and text. */
export const buildOther: EntryBuilder = (input) => {
  const { resource } = input;
  const description = (DESCRIPTIONS.get(resource.resourceType) ?? describeAny)(input);
  const text = joinPresent([description.text ?? readOwnNarrative(resource), describeReason(input)], '\n');
  const base = buildEntryBase(input, {
    title: qualifyTitle(resource, description.title),
    // What it says besides its category is enough to find it elsewhere.
    isKindAlone: description.isKindAlone === true && text === null,
    code: toCodeKey(resource['code'], [SNOMED, LOINC]),
    when: findDate(resource),
    end: findEndDate(
      getPath(resource, 'period', 'end'),
      getPath(resource, 'billablePeriod', 'end'),
      resource['end'],
      getPath(resource, 'timingPeriod', 'end'),
    ),
    // "No known devices" is neither active nor completed.
    ...(isStatement(resource, description.title) ? { status: null } : readOtherStatus(resource)),
  });
  return [
    {
      ...base,
      kind: getRecordKind(resource),
      detail: {
        type: readText(resource.resourceType) ?? 'Unknown',
        text,
      },
    },
  ];
};

const isStatement = (resource: ParsedResource, title: string | null): boolean =>
  title !== null && readAbsence(resource['type'] ?? resource['code'], title) !== null;

/** A goal says it among what it aims at. */
const describeReason = (input: EntryInput): string | null =>
  input.resource.resourceType === 'Goal' ? null : describeStatusReason(input);

/** "Not to be done: Wheelchair", "Wheelchair (proposal)"; said also of what has no name. */
function qualifyTitle(resource: ParsedResource, title: string | null): string | null {
  const [before, behind] = [nameProhibition(resource), nameIntent(resource)];
  if (before === null && behind === null) return title;
  return joinPresent([before, title ?? formatResourceType(resource.resourceType), behind], ' ');
}

/** A goal and the answer to an invitation have their status elsewhere. */
function readOtherStatus(resource: ParsedResource): Pick<EntryFacts, 'status'> {
  const status = readStatusCode(resource['lifecycleStatus']) ?? readStatusCode(resource['participantStatus']);
  return status === null ? {} : { status };
}

/** A request for a service says so before its name itself. */
const nameProhibition = (resource: ParsedResource): string | null =>
  resource.resourceType !== 'ServiceRequest' && isForbidden(resource) ? 'Not to be done:' : null;

const UNORDERED = new Set<string | null>(['proposal', 'plan', 'option']);

/** "(proposal)", of what nobody ordered yet. A plan of care is a plan, and a request for a service says it before its name. */
function nameIntent({ resourceType, intent }: ParsedResource): string | null {
  const written = readStatusCode(intent);
  const isSaid = resourceType === 'ServiceRequest' || (resourceType === 'CarePlan' && written === 'plan');
  return UNORDERED.has(written) && !isSaid ? `(${written})` : null;
}

/** The date of the event before the date of recording. */
const PERIODS = [
  'period',
  'billablePeriod',
  'servicedPeriod',
  'occurrencePeriod',
  'effectivePeriod',
  'collectedPeriod',
  'identifiedPeriod',
  'timingPeriod',
];
const DATES = [
  'start started startDate occurrenceDateTime effectiveDateTime createdDateTime performedDateTime identifiedDateTime timingDateTime',
  'authoredOn authored date dateTime dateWritten sent received receivedTime statusDate',
  'recordedDate recordedOn recorded created issued',
].flatMap((line) => line.split(' '));

function findDate(resource: ParsedResource) {
  return findFirstDate(
    ...PERIODS.map((name) => getPath(resource, name, 'start')),
    ...DATES.map((name) => resource[name]),
    getPath(resource, 'collection', 'collectedDateTime'),
    getPath(resource, 'requestedPeriod', 'start'),
  );
}

const TITLES = [
  'code',
  'title',
  'name',
  'description',
  'type',
  'category',
  'method',
  'scope',
  'serviceType',
  'modality',
];

/** Describes any other type by the elements that name it and every sentence it holds. */
function describeAny(input: EntryInput): Description {
  const { resource } = input;
  const [title = null] = TITLES.flatMap((name) => readName(name, resource[name]) ?? []);
  const sentences = ['description', 'summary', 'comment', 'conclusion', 'instruction', 'disposition'];
  const payload = toElements(resource['payload']).map((each) => readText(each['contentString']));
  const body = joinPresent(
    [
      ...sentences.map((name) => readText(resource[name])),
      formatConcept(resource['scope']) === title ? null : formatConcept(resource['scope']),
      ...formatConcepts(resource['bodySite']),
      formatTiming(resource['timingTiming']),
      ...formatConcepts(resource['reasonCode']),
      ...resolveDisplays(resource['reasonReference'], input),
      ...payload,
      formatAnnotations(resource['note']),
    ],
    '\n',
  );
  return {
    title:
      title ??
      readText(getPath(resource, 'content', 'title')) ??
      resolveDisplay(resource['device'] ?? resource['actor'], input),
    text: body,
  };
}

function readName(name: string, value: unknown): string | null {
  if (name === 'modality') return formatModality(value);
  return formatConcept(value) ?? readText(toElement(value)?.['text']);
}
