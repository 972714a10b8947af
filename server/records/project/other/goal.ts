import { annotations } from '../annotation.ts';
import { conceptText } from '../codeable-concept.ts';
import { elements, joined, text, type Element } from '../element.ts';
import { quantityText, rangeText } from '../quantity.ts';
import { labelsOf } from '../reference.ts';
import type { Source } from '../source.ts';
import type { Description } from './description.ts';

export function goal(source: Source): Description {
  const { resource } = source;
  const aim = conceptText(resource['description']);
  const addresses = joined(labelsOf(resource['addresses'], source), '; ');
  const lines = [
    conceptText(resource['achievementStatus']),
    ...elements(resource['target']).map(target),
    addresses && `For: ${addresses}`,
    text(resource['statusReason']),
    annotations(resource['note']),
  ];
  return { title: aim === null ? 'Goal' : `Goal: ${aim}`, text: joined(lines, '; ') };
}

/** "Weight Measured 160 to 180 lbs by 2016-04-05". */
function target(value: Element): string | null {
  const amount =
    quantityText(value['detailQuantity']) ??
    rangeText(value['detailRange']) ??
    conceptText(value['detailCodeableConcept']) ??
    text(value['detailString']);
  const due = text(value['dueDate']);
  return joined([conceptText(value['measure']), amount, due && `by ${due}`], ' ');
}
