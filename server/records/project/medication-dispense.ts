import { annotations } from './annotation.ts';
import { joined } from './element.ts';
import { dosageText } from './dosage.ts';
import { drugOf, medicationEntry } from './medication.ts';
import { durationText, quantityText } from './quantity.ts';
import { labelList } from './reference.ts';
import type { Projector } from './source.ts';
import { firstDate } from './written-date.ts';

/** What a pharmacy handed over: follows from a prescription, is none, and so never current. */
export const medicationDispense: Projector = (source) => {
  const { resource } = source;
  const amount = quantityText(resource['quantity']);
  const supply = durationText(resource['daysSupply']);
  return medicationEntry(source, drugOf(source), {
    facts: { when: firstDate(resource['whenHandedOver'], resource['whenPrepared']) },
    detail: {
      resource: 'MedicationDispense',
      intent: null,
      dosage: dosageText(resource['dosageInstruction']),
      reason: null,
      prescriber: labelList(resource['performer'], source),
      note: joined(
        [amount && `Dispensed: ${amount}`, supply && `Supply for ${supply}`, annotations(resource['note'])],
        '\n',
      ),
    },
  });
};
