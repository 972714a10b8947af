import { createConcept, createHl7Concept } from '../codes.ts';
import { addMonths, formatDay } from '../calendar.ts';
import { getPatientReference, type Chart } from '../chart.ts';
import type { DiagnosedStoryline } from '../patient-profile.ts';
import type { GeneratedResource } from '../resource.ts';
import { toReference } from '../resource-id.ts';
import type { ConditionPlan } from '../storyline.ts';
import { isRoutine, createVisitRandom, formatVisitTime, type Visit } from '../visit.ts';
import type { AcuteEpisode } from '../acute-episodes.ts';
import { getPractitionerReference } from './people.ts';

export function* generateConditions(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  if (visit.episode) yield buildAcuteCondition(chart, visit, visit.episode);
  if (!isRoutine(visit)) return;
  yield* generateResolvedConditions(chart, visit);
  for (const storyline of chart.profile.storylines) {
    for (const plan of storyline.story.conditions)
      yield* generateDiagnosis(chart, visit, { storyline, plan });
  }
}

/** At the record's end: what nobody has seen resolved is active. */
export function* flushOpenConditions(chart: Chart): Iterable<GeneratedResource> {
  for (const { condition } of chart.openConditions.values()) yield condition;
}

function* generateDiagnosis(
  chart: Chart,
  visit: Visit,
  { storyline, plan }: { storyline: DiagnosedStoryline; plan: ConditionPlan },
): Iterable<GeneratedResource> {
  const name = `Condition/${storyline.story.name}/${plan.key}`;
  const onset = addMonths(storyline.diagnosedOn, plan.fromMonth);
  const resolvesOn =
    plan.untilMonth === undefined ? Infinity : addMonths(storyline.diagnosedOn, plan.untilMonth);
  if (visit.day < onset || visit.day >= resolvesOn || chart.lastDone.has(name)) return;
  chart.lastDone.set(name, visit.day);
  visit.events.diagnosed.push(plan.text);
  const condition = {
    ...buildConditionBase(chart, visit, 'active'),
    id: chart.profile.toId(name),
    category: [createHl7Concept('condition-category', 'problem-list-item', 'Problem List Item')],
    code: createConcept(plan.codes, plan.text),
    onsetDateTime: formatDay(onset),
  };
  if (resolvesOn === Infinity) yield condition;
  else chart.openConditions.set(name, { condition, resolvesOn, text: plan.text });
}

function* generateResolvedConditions(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  for (const [name, { condition, resolvesOn }] of chart.openConditions) {
    if (visit.day < resolvesOn) continue;
    chart.openConditions.delete(name);
    yield {
      ...condition,
      clinicalStatus: createHl7Concept('condition-clinical', 'resolved', 'Resolved'),
      abatementDateTime: formatDay(visit.day),
    };
  }
}

function buildAcuteCondition(chart: Chart, visit: Visit, episode: AcuteEpisode): GeneratedResource {
  const random = createVisitRandom(chart.profile, visit, 'acute-condition');
  const onset = visit.day - (episode.setting === 'emergency' ? 0 : random.integer(1, 5));
  const resolvedOn = onset + random.integer(...episode.days);
  const isResolved = resolvedOn <= chart.profile.lastDay;
  visit.events.diagnosed.push(episode.text);
  return {
    ...buildConditionBase(chart, visit, isResolved ? 'resolved' : 'active'),
    id: deriveAcuteConditionId(chart, visit),
    category: [createHl7Concept('condition-category', 'encounter-diagnosis', 'Encounter Diagnosis')],
    code: createConcept(episode.codes, episode.text),
    onsetDateTime: formatDay(onset),
    ...(isResolved && { abatementDateTime: formatDay(Math.max(resolvedOn, visit.day + 1)) }),
  };
}

export function deriveAcuteConditionId(chart: Chart, visit: Visit): string {
  return chart.profile.toId(`Condition/acute/${visit.index}`);
}

function buildConditionBase(chart: Chart, visit: Visit, status: 'active' | 'resolved') {
  return {
    resourceType: 'Condition',
    clinicalStatus: createHl7Concept(
      'condition-clinical',
      status,
      status === 'active' ? 'Active' : 'Resolved',
    ),
    verificationStatus: createHl7Concept('condition-ver-status', 'confirmed', 'Confirmed'),
    subject: getPatientReference(chart),
    encounter: toReference(visit.id),
    recordedDate: formatVisitTime(visit, 12),
    recorder: getPractitionerReference(
      chart.profile,
      visit.episode?.setting === 'emergency' ? 'emergency' : 'physician',
    ),
  };
}
