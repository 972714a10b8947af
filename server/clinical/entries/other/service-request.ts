import { formatAnnotations } from '../annotation.ts';
import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { isTrue, joinPresent, readText } from '../element.ts';
import { resolveDisplay, resolveDisplays } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';
import { formatTiming } from '../timing.ts';

export function describeServiceRequest(input: EntryInput): Description {
  const { resource } = input;
  const what = formatConcept(resource['code']) ?? formatConcept(resource['category']);
  const reasons = joinPresent(
    [...formatConcepts(resource['reasonCode']), ...resolveDisplays(resource['reasonReference'], input)],
    '; ',
  );
  const requester = resolveDisplay(resource['requester'], input);
  const lines = [
    ...formatConcepts(resource['orderDetail']),
    formatTiming(resource['occurrenceTiming']),
    reasons && `Reason: ${reasons}`,
    requester && `Requested by: ${requester}`,
    readText(resource['patientInstruction']),
    formatAnnotations(resource['note']),
  ];
  const order = isTrue(resource['doNotPerform'])
    ? 'Order not to perform'
    : (INTENT_NAMES.get(readText(resource['intent'])) ?? 'Order');
  return { title: what === null ? order : `${order}: ${what}`, text: joinPresent(lines, '\n') };
}

/** What is nobody's order yet, by its intent (https://hl7.org/fhir/R4/valueset-request-intent.html). */
const INTENT_NAMES: ReadonlyMap<string | null, string> = new Map([
  ['proposal', 'Proposal'],
  ['plan', 'Plan'],
  ['option', 'Option'],
]);
