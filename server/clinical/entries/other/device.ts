import { formatAnnotations } from '../annotation.ts';
import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { toElements, joinPresent, readText } from '../element.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeDevice({ resource }: EntryInput): Description {
  const names = toElements(resource['deviceName']).flatMap(({ name }) => readText(name) ?? []);
  const [name = null] = names;
  const formatField = (label: string, element: string) => {
    const value = readText(resource[element]);
    return value && `${label} ${value}`;
  };
  const safety = joinPresent(formatConcepts(resource['safety']), ', ');
  const lines = [
    readText(resource['manufacturer']),
    formatField('model', 'modelNumber'),
    formatField('lot', 'lotNumber'),
    formatField('serial number', 'serialNumber'),
    formatAnnotations(resource['note']),
  ];
  const title = formatConcept(resource['type']) ?? name;
  return {
    title,
    text: joinPresent([safety && `Safety: ${safety}`, name === title ? null : name, ...lines], '; '),
  };
}
