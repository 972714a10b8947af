import { getAnalyte } from '../analytes.ts';
import { measureAnalyte } from '../measurements.ts';
import { formatDay } from '../calendar.ts';
import { getPatientReference, type Chart } from '../chart.ts';
import { createConcept, snomed, createHl7Concept } from '../codes.ts';
import type { DiagnosedStoryline } from '../patient-profile.ts';
import type { GeneratedResource } from '../resource.ts';
import { toReference } from '../resource-id.ts';
import type { Visit } from '../visit.ts';
import { toQuantity } from './observation.ts';
import { getPractitionerReference } from './people.ts';

/** The leading illness's plan and goal, judged by the record's last visit. */
export function* generateCarePlan(chart: Chart, lastVisit: Visit): Iterable<GeneratedResource> {
  const leading = lastVisit.storylines[0];
  if (!leading) return;
  yield buildGoal(chart, lastVisit, leading);
  yield buildCarePlan(chart, leading);
}

function buildGoal(
  chart: Chart,
  lastVisit: Visit,
  { story, diagnosedOn }: DiagnosedStoryline,
): GeneratedResource {
  const { text, measure, atMost } = story.goal;
  const isReached = measureAnalyte(chart.profile, lastVisit, measure) <= atMost;
  return {
    resourceType: 'Goal',
    id: chart.profile.toId('Goal'),
    lifecycleStatus: 'active',
    achievementStatus: isReached
      ? createHl7Concept('goal-achievement', 'achieved', 'Achieved')
      : createHl7Concept('goal-achievement', 'in-progress', 'In Progress'),
    description: { text },
    subject: getPatientReference(chart),
    startDate: formatDay(diagnosedOn),
    target: [
      {
        measure: createConcept(getAnalyte(measure).code),
        detailRange: { high: toQuantity(measure, atMost) },
      },
    ],
    addresses: [getLeadingConditionReference(chart, story)],
  };
}

function buildCarePlan(chart: Chart, { story, diagnosedOn }: DiagnosedStoryline): GeneratedResource {
  return {
    resourceType: 'CarePlan',
    id: chart.profile.toId('CarePlan'),
    status: 'active',
    intent: 'plan',
    category: [
      {
        coding: [{ system: 'http://hl7.org/fhir/us/core/CodeSystem/careplan-category', code: 'assess-plan' }],
      },
      createConcept(story.carePlan.code),
    ],
    title: `Plan of care: ${story.conditions.at(-1)?.text}`,
    subject: getPatientReference(chart),
    period: { start: formatDay(diagnosedOn) },
    author: getPractitionerReference(chart.profile, 'physician'),
    addresses: [getLeadingConditionReference(chart, story)],
    goal: [toReference(chart.profile.toId('Goal'))],
    activity: story.carePlan.activities.map((description) => ({
      detail: {
        status: 'in-progress',
        description,
        code: createConcept(snomed('409073007', 'Education'), description),
      },
    })),
  };
}

function getLeadingConditionReference(chart: Chart, story: DiagnosedStoryline['story']) {
  const condition = story.conditions.at(-1);
  return toReference(chart.profile.toId(`Condition/${story.name}/${condition?.key}`), condition?.text);
}
