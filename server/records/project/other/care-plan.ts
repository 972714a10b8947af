import { annotations } from '../annotation.ts';
import { codings, conceptText, conceptTexts } from '../codeable-concept.ts';
import { narrativeOf } from '../composition.ts';
import { at, elements, joined, members, text } from '../element.ts';
import { labelsOf } from '../reference.ts';
import type { Source } from '../source.ts';
import type { Description } from './description.ts';

export function carePlan(source: Source): Description {
  const { resource } = source;
  // US Core demands the category `assess-plan` beside the one that names the plan.
  const kinds = members(resource['category']).filter((each) => codings(each)[0]?.code !== 'assess-plan');
  const activities = elements(resource['activity']).flatMap((activity) => [
    conceptText(at(activity, 'detail', 'code')) ?? text(at(activity, 'detail', 'description')),
    ...labelsOf(activity['reference'], source),
  ]);
  const doing = joined(activities, '; ');
  const addresses = joined(labelsOf(resource['addresses'], source), '; ');
  const lines = [
    text(resource['description']),
    addresses && `For: ${addresses}`,
    doing && `Activities: ${doing}`,
    annotations(resource['note']),
  ];
  const title = text(resource['title']) ?? joined(conceptTexts(kinds), ', ');
  return {
    title: title === null ? 'Care plan' : `Care plan: ${title}`,
    text: joined(lines, '\n') ?? narrativeOf(resource),
  };
}
