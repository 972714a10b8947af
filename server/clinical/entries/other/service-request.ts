import { formatAnnotations } from '../annotation.ts';
import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { isTrue, joinPresent, readText, type Element } from '../element.ts';
import { isForbidden } from '../modifiers.ts';
import { formatQuantity, formatRange, formatRatio } from '../quantity.ts';
import { resolveDisplay, resolveDisplays } from '../reference.ts';
import { readStatusCode } from '../status-code.ts';
import type { Description, EntryInput } from '../entry-builder.ts';
import { formatTiming } from '../timing.ts';

export function describeServiceRequest(input: EntryInput): Description {
  const { resource } = input;
  const name = formatConcept(resource['code']);
  const what = name ?? formatConcept(resource['category']);
  const reasons = joinPresent(
    [...formatConcepts(resource['reasonCode']), ...resolveDisplays(resource['reasonReference'], input)],
    '; ',
  );
  const requester = resolveDisplay(resource['requester'], input);
  const sites = joinPresent(formatConcepts(resource['bodySite']), ', ');
  const priority = readText(resource['priority']);
  const lines = [
    ...formatConcepts(resource['orderDetail']),
    sites && `Body site: ${sites}`,
    formatQuantity(resource['quantityQuantity']) ??
      formatRatio(resource['quantityRatio']) ??
      formatRange(resource['quantityRange']),
    formatTiming(resource['occurrenceTiming']),
    formatAsNeeded(resource),
    priority === null || priority === 'routine' ? null : `Priority: ${priority}`,
    reasons && `Reason: ${reasons}`,
    requester && `Requested by: ${requester}`,
    readText(resource['patientInstruction']),
    formatAnnotations(resource['note']),
  ];
  const order = isForbidden(resource)
    ? 'Order not to perform'
    : (INTENT_NAMES.get(readStatusCode(resource['intent'])) ?? 'Order');
  return {
    title: what === null ? order : `${order}: ${what}`,
    isKindAlone: name === null,
    text: joinPresent(lines, '\n'),
  };
}

function formatAsNeeded(resource: Element): string | null {
  const reason = formatConcept(resource['asNeededCodeableConcept']);
  if (reason !== null) return `as needed for ${reason}`;
  return isTrue(resource['asNeededBoolean']) ? 'as needed' : null;
}

/** What is nobody's order yet, by its intent (https://hl7.org/fhir/R4/valueset-request-intent.html). */
const INTENT_NAMES: ReadonlyMap<string | null, string> = new Map([
  ['proposal', 'Proposal'],
  ['plan', 'Plan'],
  ['option', 'Option'],
]);
