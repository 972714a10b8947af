import { annotations } from './annotation.ts';
import { at, isTrue, joined, text } from './element.ts';
import { dosageText } from './dosage.ts';
import { groupKey } from './entry-base.ts';
import { drugOf, medicationEntry, reasonsOf } from './medication.ts';
import { labelOf } from './reference.ts';
import type { Projector } from './source.ts';
import { firstDate } from './written-date.ts';
import { conceptText } from './codeable-concept.ts';
import type { ParsedResource } from '../found-resource.ts';

export const medicationRequest: Projector = (source) => {
  const { resource } = source;
  const drug = drugOf(source);
  const forbidden = isTrue(resource['doNotPerform']);
  const name = drug.name ?? 'a medication without a name';
  const prohibition = { ...drug, name: `Do not give: ${name}` };
  const stopped = conceptText(resource['statusReason']);
  return medicationEntry(source, forbidden ? prohibition : drug, {
    facts: {
      when: firstDate(resource['authoredOn']),
      current: text(resource['status']) === 'active' && isTaken(resource) && !forbidden,
      // A prohibition must not be counted as one more prescription of the drug it forbids.
      ...(forbidden && { groupKey: `not:${groupKey(drug.code, name)}` }),
    },
    detail: {
      resource: 'MedicationRequest',
      intent: text(resource['intent']),
      dosage: dosageText(resource['dosageInstruction']),
      reason: reasonsOf(source),
      prescriber: labelOf(resource['requester'], source),
      note: joined([stopped && `Reason for the status: ${stopped}`, annotations(resource['note'])], '\n'),
    },
  });
};

/**
 * A proposal or option is nobody's prescription yet. A plan is one only where it reports what the patient takes:
 * US Core writes self-reported over-the-counter drugs as intent `plan` with reported[x].
 */
function isTaken(resource: ParsedResource): boolean {
  const intent = text(resource['intent']);
  const reported =
    isTrue(resource['reportedBoolean']) || at(resource, 'reportedReference', 'reference') !== undefined;
  if (intent === 'plan') return reported;
  return intent !== 'proposal' && intent !== 'option';
}
