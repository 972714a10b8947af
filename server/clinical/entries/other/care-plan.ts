import { formatAnnotations } from '../annotation.ts';
import { parseCodings, formatConcept, formatConcepts } from '../codeable-concept.ts';
import { readNarrative } from '../composition.ts';
import { getPath, toElements, joinPresent, toArray, readText } from '../element.ts';
import { resolveDisplays } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeCarePlan(input: EntryInput): Description {
  const { resource } = input;
  // US Core demands the category `assess-plan` beside the one that names the plan.
  const kinds = toArray(resource['category']).filter((each) => parseCodings(each)[0]?.code !== 'assess-plan');
  const activities = toElements(resource['activity']).flatMap((activity) => [
    formatConcept(getPath(activity, 'detail', 'code')) ??
      readText(getPath(activity, 'detail', 'description')),
    ...resolveDisplays(activity['reference'], input),
  ]);
  const activityText = joinPresent(activities, '; ');
  const addresses = joinPresent(resolveDisplays(resource['addresses'], input), '; ');
  const lines = [
    readText(resource['description']),
    addresses && `For: ${addresses}`,
    activityText && `Activities: ${activityText}`,
    formatAnnotations(resource['note']),
  ];
  const title = readText(resource['title']) ?? joinPresent(formatConcepts(kinds), ', ');
  return {
    title: title === null ? 'Care plan' : `Care plan: ${title}`,
    text: joinPresent(lines, '\n') ?? readNarrative(resource),
  };
}
