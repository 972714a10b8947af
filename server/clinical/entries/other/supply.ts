import { formatAnnotations } from '../annotation.ts';
import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { getPath, joinPresent, toElements, type Element } from '../element.ts';
import { formatQuantity, formatRange } from '../quantity.ts';
import { resolveDisplay, resolveDisplays } from '../reference.ts';
import { formatTiming } from '../timing.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

/** A DeviceRequest, a SupplyRequest or a SupplyDelivery: what is wanted, or came, and how much of it. */
export function describeSupply(input: EntryInput): Description {
  const { resource } = input;
  const delivered = getPath(resource, 'suppliedItem');
  const item =
    formatConcept(resource['codeCodeableConcept'] ?? resource['itemCodeableConcept']) ??
    formatConcept(getPath(delivered, 'itemCodeableConcept')) ??
    resolveDisplay(resource['codeReference'] ?? resource['itemReference'], input) ??
    resolveDisplay(getPath(delivered, 'itemReference'), input);
  const requester = resolveDisplay(resource['requester'], input);
  const reasons = joinPresent(
    [...formatConcepts(resource['reasonCode']), ...resolveDisplays(resource['reasonReference'], input)],
    '; ',
  );
  const lines = [
    formatQuantity(resource['quantity']) ?? formatQuantity(getPath(delivered, 'quantity')),
    ...toElements(resource['parameter']).map(formatParameter),
    formatTiming(resource['occurrenceTiming']),
    reasons && `Reason: ${reasons}`,
    requester && `Requested by: ${requester}`,
    formatAnnotations(resource['note']),
  ];
  return {
    title: item ?? formatConcept(resource['category']),
    isKindAlone: item === null,
    text: joinPresent(lines, '\n'),
  };
}

/** "Size: large". */
const formatParameter = (parameter: Element): string | null =>
  joinPresent(
    [
      formatConcept(parameter['code']),
      formatConcept(parameter['valueCodeableConcept']) ??
        formatQuantity(parameter['valueQuantity']) ??
        formatRange(parameter['valueRange']),
    ],
    ': ',
  );
