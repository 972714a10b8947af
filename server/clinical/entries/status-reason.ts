import { formatConcepts } from './codeable-concept.ts';
import { joinPresent, readText, toElements } from './element.ts';
import type { EntryInput } from './entry-builder.ts';
import { resolveDisplays } from './reference.ts';

/** R4 spells it differently from type to type; of a task and a communication it is `statusReason`, as of most. */
const CONCEPTS = ['statusReason', 'statusReasonCodeableConcept', 'cancelationReason'];

/** FHIR's `request-statusReason`, `event-statusReason` and `encounter-reasonCancelled`, and those of QI-Core. */
const EXTENSION = /(?:statusReason|reasonCancelled|notDoneReason|doNotPerformReason)$/i;

/** Formats why a resource has its status: "Patient refused", of what was not given, declined, stopped or cancelled. */
export function formatStatusReason(input: EntryInput): string | null {
  const { resource } = input;
  const extensions = toElements(resource['extension']).filter(({ url }) =>
    EXTENSION.test(readText(url) ?? ''),
  );
  return joinPresent(
    [
      ...CONCEPTS.flatMap((name) => formatConcepts(resource[name])),
      ...resolveDisplays(resource['statusReasonReference'], input),
      ...extensions.flatMap((each) => formatConcepts(each['valueCodeableConcept'])),
    ],
    '; ',
  );
}

/** "Reason for the status: Patient refused", a line of the note of an entry that has no place for it. */
export function describeStatusReason(input: EntryInput): string | null {
  const reason = formatStatusReason(input);
  return reason && `Reason for the status: ${reason}`;
}
