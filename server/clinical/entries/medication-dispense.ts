import { formatAnnotations } from './annotation.ts';
import { joinPresent, presentFields } from './element.ts';
import { describeDosage } from './dosage.ts';
import { readDrug, buildMedicationEntry } from './medication.ts';
import { formatDuration, formatQuantity } from './quantity.ts';
import { formatDisplays } from './reference.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { findFirstDate } from './partial-date.ts';
import { formatStatusReason } from './status-reason.ts';

/** Builds the entry of a dispensed supply: it follows from a prescription but is none, and so never current. */
export const buildMedicationDispense: EntryBuilder = (input) => {
  const { resource } = input;
  const amount = formatQuantity(resource['quantity']);
  const supply = formatDuration(resource['daysSupply']);
  return buildMedicationEntry(input, readDrug(input), {
    facts: { when: findFirstDate(resource['whenHandedOver'], resource['whenPrepared']) },
    detail: {
      resource: 'MedicationDispense',
      intent: null,
      ...describeDosage(resource['dosageInstruction']),
      reason: null,
      prescriber: formatDisplays(resource['performer'], input),
      note: joinPresent(
        [
          amount && `Dispensed: ${amount}`,
          supply && `Supply for ${supply}`,
          formatAnnotations(resource['note']),
        ],
        '\n',
      ),
      ...presentFields({
        supply: joinPresent([amount, supply && `for ${supply}`], ', '),
        performer: formatDisplays(resource['performer'], input),
        statusReason: formatStatusReason(input),
      }),
    },
  });
};
