import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { joinPresent, readText, toElements } from '../element.ts';
import { resolveDisplay, resolveDisplays } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

/** FHIR's `actuality` is a modifier: a potential event did not reach the patient. */
export function describeAdverseEvent(input: EntryInput): Description {
  const { resource } = input;
  const event = formatConcept(resource['event']) ?? joinPresent(formatConcepts(resource['category']), ', ');
  const suspected = joinPresent(
    toElements(resource['suspectEntity']).map(({ instance }) => resolveDisplay(instance, input)),
    ', ',
  );
  const results = joinPresent(resolveDisplays(resource['resultingCondition'], input), ', ');
  const seriousness = formatConcept(resource['seriousness']);
  const severity = formatConcept(resource['severity']);
  const outcome = formatConcept(resource['outcome']);
  const isPotential = readText(resource['actuality']) === 'potential';
  const lines = [
    seriousness && `Seriousness: ${seriousness}`,
    severity && `Severity: ${severity}`,
    outcome && `Outcome: ${outcome}`,
    suspected && `Suspected: ${suspected}`,
    results && `Resulted in: ${results}`,
  ];
  return {
    title: event && (isPotential ? `Potential adverse event, which did not happen: ${event}` : event),
    text: joinPresent(lines, '\n'),
  };
}
