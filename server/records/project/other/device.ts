import { annotations } from '../annotation.ts';
import { conceptText } from '../codeable-concept.ts';
import { elements, joined, text } from '../element.ts';
import type { Source } from '../source.ts';
import type { Description } from './description.ts';

export function device({ resource }: Source): Description {
  const names = elements(resource['deviceName']).flatMap(({ name }) => text(name) ?? []);
  const [name = null] = names;
  const named = (label: string, element: string) => {
    const value = text(resource[element]);
    return value && `${label} ${value}`;
  };
  const lines = [
    text(resource['manufacturer']),
    named('model', 'modelNumber'),
    named('lot', 'lotNumber'),
    named('serial number', 'serialNumber'),
    annotations(resource['note']),
  ];
  return { title: conceptText(resource['type']) ?? name, text: joined([name, ...lines], '; ') };
}
