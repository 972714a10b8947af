import { annotations } from '../annotation.ts';
import { conceptText, conceptTexts } from '../codeable-concept.ts';
import { elements, joined, text, type Element } from '../element.ts';
import type { Source } from '../source.ts';
import type { Description } from './description.ts';

export function imagingStudy({ resource }: Source): Description {
  const series = elements(resource['series']).map(seriesText);
  const procedures = joined(conceptTexts(resource['procedureCode']), ', ');
  const lines = [...series, ...conceptTexts(resource['reasonCode']), annotations(resource['note'])];
  return {
    title: text(resource['description']) ?? procedures ?? series[0] ?? conceptText(resource['modality']),
    text: joined(lines, '; '),
  };
}

/** "Ultrasound, thoracic". */
function seriesText(series: Element): string | null {
  return joined(
    [conceptText(series['modality']), conceptText(series['bodySite']), text(series['description'])],
    ', ',
  );
}
