import { createConcept, snomed, createHl7Concept } from '../codes.ts';
import { getPatientReference, type Chart } from '../chart.ts';
import type { GeneratedResource } from '../resource.ts';
import { toReference } from '../resource-id.ts';
import { formatVisitTime, type Visit } from '../visit.ts';
import { deriveAcuteConditionId } from './conditions.ts';
import { getLocationReference, getOrganizationReference, getPractitionerReference } from './people.ts';

const classes = {
  AMB: 'ambulatory',
  EMER: 'emergency',
  VR: 'virtual',
} as const;

export function* generateEncounter(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  const { profile } = chart;
  const isEmergency = visit.episode?.setting === 'emergency';
  const facility = isEmergency ? 'hospital' : 'clinic';
  const code = chooseClass(visit);
  const practitioner = getPractitionerReference(profile, isEmergency ? 'emergency' : 'physician');
  yield {
    resourceType: 'Encounter',
    id: visit.id,
    status: 'finished',
    class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code, display: classes[code] },
    type: [buildVisitType(visit)],
    subject: getPatientReference(chart),
    participant: [
      {
        type: [createHl7Concept('v3-ParticipationType', 'PPRF', 'primary performer')],
        period: toPeriod(visit),
        individual: practitioner,
      },
    ],
    period: toPeriod(visit),
    ...buildReason(chart, visit),
    ...(code !== 'VR' && { location: [{ location: getLocationReference(profile, facility) }] }),
    serviceProvider: getOrganizationReference(profile, facility),
  };
}

export function toPeriod(visit: Visit): { start: string; end: string } {
  return { start: formatVisitTime(visit, 0), end: formatVisitTime(visit, visit.to - visit.from) };
}

export function formatVisitTitle(visit: Visit): string {
  return buildVisitType(visit).text ?? 'Visit';
}

function chooseClass(visit: Visit): keyof typeof classes {
  if (visit.kind === 'telehealth') return 'VR';
  return visit.episode?.setting === 'emergency' ? 'EMER' : 'AMB';
}

function buildVisitType(visit: Visit) {
  if (visit.kind === 'wellness')
    return createConcept(
      snomed('162673000', 'General examination of patient (procedure)'),
      'Annual wellness visit',
    );
  if (visit.kind === 'telehealth')
    return createConcept(
      snomed('448337001', 'Telemedicine consultation with patient (procedure)'),
      'Telehealth visit',
    );
  if (visit.kind === 'follow-up')
    return createConcept(snomed('390906007', 'Follow-up encounter (procedure)'), 'Follow-up visit');
  return visit.episode?.setting === 'emergency'
    ? createConcept(snomed('50849002', 'Emergency room admission (procedure)'), 'Emergency department visit')
    : createConcept(snomed('185345009', 'Encounter for symptom (procedure)'), 'Visit for an acute symptom');
}

function buildReason(chart: Chart, visit: Visit) {
  if (visit.episode) {
    return {
      reasonCode: [createConcept(visit.episode.codes, visit.episode.text)],
      diagnosis: [{ condition: toReference(deriveAcuteConditionId(chart, visit), visit.episode.text) }],
    };
  }
  const followed = visit.storylines
    .map(({ story }) => story.conditions.at(-1))
    .filter((plan) => plan !== undefined);
  if (visit.kind === 'wellness' || followed.length === 0) return {};
  return { reasonCode: followed.map((plan) => createConcept(plan.codes, plan.text)) };
}
