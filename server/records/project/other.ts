import type { ParsedResource } from '../found-resource.ts';
import { annotations } from './annotation.ts';
import { codeKey, conceptText, conceptTexts, LOINC, SNOMED } from './codeable-concept.ts';
import { narrativeOf } from './composition.ts';
import { at, element, elements, joined, text } from './element.ts';
import { entryBase } from './entry-base.ts';
import { appointment } from './other/appointment.ts';
import { carePlan } from './other/care-plan.ts';
import { careTeam } from './other/care-team.ts';
import { claim } from './other/claim.ts';
import { coverage } from './other/coverage.ts';
import type { Description } from './other/description.ts';
import { device } from './other/device.ts';
import { familyMemberHistory } from './other/family-member-history.ts';
import { goal } from './other/goal.ts';
import { imagingStudy } from './other/imaging-study.ts';
import { questionnaireResponse } from './other/questionnaire-response.ts';
import { serviceRequest } from './other/service-request.ts';
import { endOf } from './period.ts';
import { labelsOf } from './reference.ts';
import type { Projector, Source } from './source.ts';
import { firstDate } from './written-date.ts';

const DESCRIPTIONS = new Map<string, (source: Source) => Description>([
  ['Appointment', appointment],
  ['CarePlan', carePlan],
  ['CareTeam', careTeam],
  ['Claim', claim],
  ['Coverage', coverage],
  ['Device', device],
  ['ExplanationOfBenefit', claim],
  ['FamilyMemberHistory', familyMemberHistory],
  ['Goal', goal],
  ['ImagingStudy', imagingStudy],
  ['QuestionnaireResponse', questionnaireResponse],
  ['ServiceRequest', serviceRequest],
]);

/** Every type without a kind of its own: found by search, told by a title and a text. */
export const other: Projector = (source) => {
  const { resource } = source;
  const described = (DESCRIPTIONS.get(resource.resourceType) ?? anything)(source);
  const base = entryBase(source, {
    title: described.title,
    code: codeKey(resource['code'], [SNOMED, LOINC]),
    when: whenOf(resource),
    end: endOf(at(resource, 'period', 'end'), at(resource, 'billablePeriod', 'end'), resource['end']),
    ...(resource['lifecycleStatus'] !== undefined && { status: text(resource['lifecycleStatus']) }),
  });
  return [
    {
      ...base,
      kind: 'other',
      detail: { type: text(resource.resourceType) ?? 'Unknown', text: described.text },
    },
  ];
};

/** What happened before when it was written down. */
const PERIODS = [
  'period',
  'billablePeriod',
  'servicedPeriod',
  'occurrencePeriod',
  'effectivePeriod',
  'collectedPeriod',
];
const DATES = [
  'start started startDate occurrenceDateTime effectiveDateTime createdDateTime performedDateTime',
  'authoredOn authored date dateTime dateWritten sent received receivedTime statusDate',
  'recordedDate recorded created issued',
].flatMap((line) => line.split(' '));

function whenOf(resource: ParsedResource) {
  return firstDate(
    ...PERIODS.map((name) => at(resource, name, 'start')),
    ...DATES.map((name) => resource[name]),
    at(resource, 'collection', 'collectedDateTime'),
    at(resource, 'requestedPeriod', 'start'),
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

/** A type nobody wrote a description for: what names it, and every sentence it holds. */
function anything(source: Source): Description {
  const { resource } = source;
  const titles = TITLES.flatMap((name) => nameIn(resource[name]) ?? []);
  const sentences = ['description', 'summary', 'comment', 'conclusion', 'instruction', 'disposition'];
  const outcomes = elements(resource['prediction']).map(({ outcome }) => conceptText(outcome));
  const payload = elements(resource['payload']).map((each) => text(each['contentString']));
  const said = joined(
    [
      ...sentences.map((name) => text(resource[name])),
      ...conceptTexts(resource['reasonCode']),
      ...labelsOf(resource['reasonReference'], source),
      ...outcomes,
      ...payload,
      annotations(resource['note']),
    ],
    '\n',
  );
  const [title = null] = titles;
  return { title: title ?? text(at(resource, 'content', 'title')), text: said ?? narrativeOf(resource) };
}

function nameIn(value: unknown): string | null {
  return conceptText(value) ?? text(element(value)?.['text']);
}
