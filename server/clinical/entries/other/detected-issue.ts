import { formatAnnotations } from '../annotation.ts';
import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { joinPresent, readText, toElements } from '../element.ts';
import { resolveDisplays } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

/** An interaction, a duplicate therapy, a contraindication: how severe it is, between what, and what was done. */
export function describeDetectedIssue(input: EntryInput): Description {
  const { resource } = input;
  const severity = readText(resource['severity']);
  const implicated = joinPresent(resolveDisplays(resource['implicated'], input), ', ');
  const mitigations = joinPresent(
    toElements(resource['mitigation']).map(({ action }) => formatConcept(action)),
    '; ',
  );
  const lines = [
    severity && `Severity: ${severity}`,
    readText(resource['detail']),
    implicated && `Between: ${implicated}`,
    ...toElements(resource['evidence']).flatMap(({ code }) => formatConcepts(code)),
    mitigations && `Done about it: ${mitigations}`,
    formatAnnotations(resource['note']),
  ];
  return {
    title: formatConcept(resource['code']) ?? (implicated && `Detected issue: ${implicated}`),
    text: joinPresent(lines, '\n'),
  };
}
