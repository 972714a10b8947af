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
  const order = isTrue(resource['doNotPerform']) ? 'Order not to perform' : nameIntent(resource['intent']);
  return { title: what === null ? order : `${order}: ${what}`, text: joinPresent(lines, '\n') };
}

/** A proposal or a plan is nobody's order yet. */
function nameIntent(value: unknown): string {
  const intent = readText(value);
  if (intent === 'proposal' || intent === 'plan') return intent === 'plan' ? 'Plan' : 'Proposal';
  return intent === 'option' ? 'Option' : 'Order';
}
