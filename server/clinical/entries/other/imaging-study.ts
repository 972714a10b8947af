import { formatAnnotations } from '../annotation.ts';
import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { toElements, joinPresent, readText, type Element } from '../element.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeImagingStudy({ resource }: EntryInput): Description {
  const series = toElements(resource['series']).map(formatSeries);
  const procedures = joinPresent(formatConcepts(resource['procedureCode']), ', ');
  const lines = [...series, ...formatConcepts(resource['reasonCode']), formatAnnotations(resource['note'])];
  return {
    title:
      readText(resource['description']) ?? procedures ?? series[0] ?? formatConcept(resource['modality']),
    text: joinPresent(lines, '; '),
  };
}

/** "Ultrasound, thoracic". */
function formatSeries(series: Element): string | null {
  return joinPresent(
    [formatConcept(series['modality']), formatConcept(series['bodySite']), readText(series['description'])],
    ', ',
  );
}
