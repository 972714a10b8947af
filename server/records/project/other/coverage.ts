import { conceptText } from '../codeable-concept.ts';
import { elements, joined, text } from '../element.ts';
import { labelList } from '../reference.ts';
import type { Source } from '../source.ts';
import type { Description } from './description.ts';

export function coverage(source: Source): Description {
  const { resource } = source;
  const payor = labelList(resource['payor'], source);
  const classes = elements(resource['class']).map((each) => text(each['name']) ?? text(each['value']));
  const subscriber = text(resource['subscriberId']);
  return {
    title: payor === null ? 'Insurance coverage' : `Insurance coverage: ${payor}`,
    text: joined([conceptText(resource['type']), ...classes, subscriber && `Subscriber ${subscriber}`], '; '),
  };
}
