import { concept, terminology } from '../codes.ts';
import { addMonths, dayText } from '../calendar.ts';
import { patientOf, type Chart } from '../chart.ts';
import type { LifeStoryline } from '../life.ts';
import type { GeneratedResource } from '../resource.ts';
import { referenceTo } from '../resource-id.ts';
import type { ConditionPlan } from '../storyline.ts';
import { isRoutine, randomAt, timeAt, type Visit } from '../visit.ts';
import type { AcuteEpisode } from '../acute-episodes.ts';
import { practitionerOf } from './people.ts';

export function* conditionsAt(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  if (visit.episode) yield acuteCondition(chart, visit, visit.episode);
  if (!isRoutine(visit)) return;
  yield* resolvedConditions(chart, visit);
  for (const storyline of chart.life.storylines) {
    for (const plan of storyline.story.conditions) yield* diagnosis(chart, visit, { storyline, plan });
  }
}

/** At the record's end: what nobody has seen resolved is active. */
export function* conditionsLeft(chart: Chart): Iterable<GeneratedResource> {
  for (const { condition } of chart.openConditions.values()) yield condition;
}

function* diagnosis(
  chart: Chart,
  visit: Visit,
  { storyline, plan }: { storyline: LifeStoryline; plan: ConditionPlan },
): Iterable<GeneratedResource> {
  const name = `Condition/${storyline.story.name}/${plan.key}`;
  const onset = addMonths(storyline.starts, plan.fromMonth);
  const resolvesOn = plan.untilMonth === undefined ? Infinity : addMonths(storyline.starts, plan.untilMonth);
  if (visit.day < onset || visit.day >= resolvesOn || chart.lastDone.has(name)) return;
  chart.lastDone.set(name, visit.day);
  visit.happened.diagnosed.push(plan.text);
  const condition = {
    ...entry(chart, visit, 'active'),
    id: chart.life.id(name),
    category: [terminology('condition-category', 'problem-list-item', 'Problem List Item')],
    code: concept(plan.codes, plan.text),
    onsetDateTime: dayText(onset),
  };
  if (resolvesOn === Infinity) yield condition;
  else chart.openConditions.set(name, { condition, resolvesOn, text: plan.text });
}

function* resolvedConditions(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  for (const [name, { condition, resolvesOn }] of chart.openConditions) {
    if (visit.day < resolvesOn) continue;
    chart.openConditions.delete(name);
    yield {
      ...condition,
      clinicalStatus: terminology('condition-clinical', 'resolved', 'Resolved'),
      abatementDateTime: dayText(visit.day),
    };
  }
}

function acuteCondition(chart: Chart, visit: Visit, episode: AcuteEpisode): GeneratedResource {
  const random = randomAt(chart.life, visit, 'acute-condition');
  const onset = visit.day - (episode.setting === 'emergency' ? 0 : random.whole(1, 5));
  const over = onset + random.whole(...episode.days);
  const isOver = over <= chart.life.ends;
  visit.happened.diagnosed.push(episode.text);
  return {
    ...entry(chart, visit, isOver ? 'resolved' : 'active'),
    id: acuteConditionId(chart, visit),
    category: [terminology('condition-category', 'encounter-diagnosis', 'Encounter Diagnosis')],
    code: concept(episode.codes, episode.text),
    onsetDateTime: dayText(onset),
    ...(isOver && { abatementDateTime: dayText(Math.max(over, visit.day + 1)) }),
  };
}

export function acuteConditionId(chart: Chart, visit: Visit): string {
  return chart.life.id(`Condition/acute/${visit.index}`);
}

function entry(chart: Chart, visit: Visit, status: 'active' | 'resolved') {
  return {
    resourceType: 'Condition',
    clinicalStatus: terminology('condition-clinical', status, status === 'active' ? 'Active' : 'Resolved'),
    verificationStatus: terminology('condition-ver-status', 'confirmed', 'Confirmed'),
    subject: patientOf(chart),
    encounter: referenceTo(visit.id),
    recordedDate: timeAt(visit, 12),
    recorder: practitionerOf(chart.life, visit.episode?.setting === 'emergency' ? 'emergency' : 'physician'),
  };
}
