import { analyteOf } from '../analytes.ts';
import { measured } from '../body.ts';
import { dayText } from '../calendar.ts';
import { patientOf, type Chart } from '../chart.ts';
import { concept, snomed, terminology } from '../codes.ts';
import type { LifeStoryline } from '../life.ts';
import type { GeneratedResource } from '../resource.ts';
import { referenceTo } from '../resource-id.ts';
import type { Visit } from '../visit.ts';
import { quantityOf } from './observation.ts';
import { practitionerOf } from './people.ts';

/** The leading illness's plan and goal, judged by the record's last visit. */
export function* carePlanLeft(chart: Chart, lastVisit: Visit): Iterable<GeneratedResource> {
  const leading = lastVisit.storylines[0];
  if (!leading) return;
  yield goal(chart, lastVisit, leading);
  yield carePlan(chart, leading);
}

function goal(chart: Chart, lastVisit: Visit, { story, starts }: LifeStoryline): GeneratedResource {
  const { text, measure, atMost } = story.goal;
  const isReached = measured(chart.life, lastVisit, measure) <= atMost;
  return {
    resourceType: 'Goal',
    id: chart.life.id('Goal'),
    lifecycleStatus: 'active',
    achievementStatus: isReached
      ? terminology('goal-achievement', 'achieved', 'Achieved')
      : terminology('goal-achievement', 'in-progress', 'In Progress'),
    description: { text },
    subject: patientOf(chart),
    startDate: dayText(starts),
    target: [
      { measure: concept(analyteOf(measure).code), detailRange: { high: quantityOf(measure, atMost) } },
    ],
    addresses: [leadingCondition(chart, story)],
  };
}

function carePlan(chart: Chart, { story, starts }: LifeStoryline): GeneratedResource {
  return {
    resourceType: 'CarePlan',
    id: chart.life.id('CarePlan'),
    status: 'active',
    intent: 'plan',
    category: [
      {
        coding: [{ system: 'http://hl7.org/fhir/us/core/CodeSystem/careplan-category', code: 'assess-plan' }],
      },
      concept(story.carePlan.code),
    ],
    title: `Plan of care: ${story.conditions.at(-1)?.text}`,
    subject: patientOf(chart),
    period: { start: dayText(starts) },
    author: practitionerOf(chart.life, 'physician'),
    addresses: [leadingCondition(chart, story)],
    goal: [referenceTo(chart.life.id('Goal'))],
    activity: story.carePlan.activities.map((description) => ({
      detail: {
        status: 'in-progress',
        description,
        code: concept(snomed('409073007', 'Education'), description),
      },
    })),
  };
}

function leadingCondition(chart: Chart, story: LifeStoryline['story']) {
  const condition = story.conditions.at(-1);
  return referenceTo(chart.life.id(`Condition/${story.name}/${condition?.key}`), condition?.text);
}
