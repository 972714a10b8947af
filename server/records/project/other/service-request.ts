import { annotations } from '../annotation.ts';
import { conceptText, conceptTexts } from '../codeable-concept.ts';
import { isTrue, joined, text } from '../element.ts';
import { labelOf, labelsOf } from '../reference.ts';
import type { Source } from '../source.ts';
import { timingText } from '../timing.ts';
import type { Description } from './description.ts';

export function serviceRequest(source: Source): Description {
  const { resource } = source;
  const what = conceptText(resource['code']) ?? conceptText(resource['category']);
  const reasons = joined(
    [...conceptTexts(resource['reasonCode']), ...labelsOf(resource['reasonReference'], source)],
    '; ',
  );
  const requester = labelOf(resource['requester'], source);
  const lines = [
    ...conceptTexts(resource['orderDetail']),
    timingText(resource['occurrenceTiming']),
    reasons && `Reason: ${reasons}`,
    requester && `Requested by: ${requester}`,
    text(resource['patientInstruction']),
    annotations(resource['note']),
  ];
  const order = isTrue(resource['doNotPerform']) ? 'Order not to perform' : 'Order';
  return { title: what === null ? order : `${order}: ${what}`, text: joined(lines, '\n') };
}
