import { formatAnnotations } from '../annotation.ts';
import { parseCodings, formatConcept, formatConcepts } from '../codeable-concept.ts';
import { isTrue, joinPresent, readText, toArray, toElement, toElements, type Element } from '../element.ts';
import { findDoubt, isInError } from '../objection.ts';
import { resolveDisplays } from '../reference.ts';
import { readStatusCode } from '../status-code.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeCarePlan(input: EntryInput): Description {
  const { resource } = input;
  // US Core demands the category `assess-plan` beside the one that names the plan.
  const kinds = toArray(resource['category']).filter((each) => parseCodings(each)[0]?.code !== 'assess-plan');
  const activities = toElements(resource['activity']).flatMap((activity) => [
    formatActivity(toElement(activity['detail'])),
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
  const own = readText(resource['title']);
  const title = own ?? joinPresent(formatConcepts(kinds), ', ');
  return {
    isKindAlone: own === null,
    title: title === null ? 'Care plan' : `Care plan: ${title}`,
    text: joinPresent(lines, '\n'),
  };
}

/** "Exercise", "Exercise (cancelled)", "not to be done: Exercise". */
function formatActivity(detail: Element | null): string | null {
  if (detail === null || isInError(detail)) return null;
  const what = formatConcept(detail['code']) ?? readText(detail['description']);
  const doubt = findDoubt({ status: readStatusCode(detail['status']), verification: null });
  return (
    what &&
    `${isTrue(detail['doNotPerform']) ? 'not to be done: ' : ''}${what}${doubt === null ? '' : ` (${doubt})`}`
  );
}
