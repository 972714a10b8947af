import { formatConcept } from '../codeable-concept.ts';
import { toElements, joinPresent, readText } from '../element.ts';
import { formatDisplays } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeCoverage(input: EntryInput): Description {
  const { resource } = input;
  const payor = formatDisplays(resource['payor'], input);
  const classes = toElements(resource['class']).map(
    (each) => readText(each['name']) ?? readText(each['value']),
  );
  const subscriber = readText(resource['subscriberId']);
  return {
    title: payor === null ? 'Insurance coverage' : `Insurance coverage: ${payor}`,
    text: joinPresent(
      [formatConcept(resource['type']), ...classes, subscriber && `Subscriber ${subscriber}`],
      '; ',
    ),
  };
}
