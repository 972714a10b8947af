import { concept, snomed, terminology } from '../codes.ts';
import { patientOf, type Chart } from '../chart.ts';
import type { GeneratedResource } from '../resource.ts';
import { referenceTo } from '../resource-id.ts';
import { timeAt, type Visit } from '../visit.ts';
import { acuteConditionId } from './conditions.ts';
import { locationOf, organizationOf, practitionerOf } from './people.ts';

const classes = {
  AMB: 'ambulatory',
  EMER: 'emergency',
  VR: 'virtual',
} as const;

export function* encounterAt(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  const { life } = chart;
  const isEmergency = visit.episode?.setting === 'emergency';
  const place = isEmergency ? 'hospital' : 'clinic';
  const code = classOf(visit);
  const practitioner = practitionerOf(life, isEmergency ? 'emergency' : 'physician');
  yield {
    resourceType: 'Encounter',
    id: visit.id,
    status: 'finished',
    class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code, display: classes[code] },
    type: [visitType(visit)],
    subject: patientOf(chart),
    participant: [
      {
        type: [terminology('v3-ParticipationType', 'PPRF', 'primary performer')],
        period: periodOf(visit),
        individual: practitioner,
      },
    ],
    period: periodOf(visit),
    ...reason(chart, visit),
    ...(code !== 'VR' && { location: [{ location: locationOf(life, place) }] }),
    serviceProvider: organizationOf(life, place),
  };
}

export function periodOf(visit: Visit): { start: string; end: string } {
  return { start: timeAt(visit, 0), end: timeAt(visit, visit.to - visit.from) };
}

export function visitTitle(visit: Visit): string {
  return visitType(visit).text ?? 'Visit';
}

function classOf(visit: Visit): keyof typeof classes {
  if (visit.kind === 'telehealth') return 'VR';
  return visit.episode?.setting === 'emergency' ? 'EMER' : 'AMB';
}

function visitType(visit: Visit) {
  if (visit.kind === 'wellness')
    return concept(
      snomed('162673000', 'General examination of patient (procedure)'),
      'Annual wellness visit',
    );
  if (visit.kind === 'telehealth')
    return concept(
      snomed('448337001', 'Telemedicine consultation with patient (procedure)'),
      'Telehealth visit',
    );
  if (visit.kind === 'follow-up')
    return concept(snomed('390906007', 'Follow-up encounter (procedure)'), 'Follow-up visit');
  return visit.episode?.setting === 'emergency'
    ? concept(snomed('50849002', 'Emergency room admission (procedure)'), 'Emergency department visit')
    : concept(snomed('185345009', 'Encounter for symptom (procedure)'), 'Visit for an acute symptom');
}

function reason(chart: Chart, visit: Visit) {
  if (visit.episode) {
    return {
      reasonCode: [concept(visit.episode.codes, visit.episode.text)],
      diagnosis: [{ condition: referenceTo(acuteConditionId(chart, visit), visit.episode.text) }],
    };
  }
  const followed = visit.storylines
    .map(({ story }) => story.conditions.at(-1))
    .filter((plan) => plan !== undefined);
  if (visit.kind === 'wellness' || followed.length === 0) return {};
  return { reasonCode: followed.map((plan) => concept(plan.codes, plan.text)) };
}
