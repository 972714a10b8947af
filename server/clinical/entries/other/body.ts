import { formatAnnotations } from '../annotation.ts';
import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { getPath, joinPresent, readText } from '../element.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

/** "Mole of left arm"; FHIR's `active` is a modifier. */
export function describeBodyStructure({ resource }: EntryInput): Description {
  const what = joinPresent(
    [formatConcept(resource['morphology']), formatConcept(resource['location'])],
    ' of ',
  );
  const isInactive = resource['active'] === false || resource['active'] === 'false';
  return {
    title: what && (isInactive ? `${what} (no longer in use)` : what),
    text: joinPresent(
      [...formatConcepts(resource['locationQualifier']), readText(resource['description'])],
      '\n',
    ),
  };
}

/** Two samples of one kind and day are distinguished by where they were taken. */
export function describeSpecimen({ resource }: EntryInput): Description {
  const lines = [
    formatConcept(getPath(resource, 'collection', 'bodySite')),
    ...formatConcepts(resource['condition']),
    formatAnnotations(resource['note']),
  ];
  return { title: formatConcept(resource['type']), text: joinPresent(lines, ', ') };
}
