import { annotations } from './annotation.ts';
import { at } from './element.ts';
import { dosageText } from './dosage.ts';
import { drugOf, medicationEntry, reasonsOf } from './medication.ts';
import { endOf } from './period.ts';
import { labelList } from './reference.ts';
import type { Projector } from './source.ts';
import { firstDate } from './written-date.ts';

/** One dose given, not a prescription: never current. */
export const medicationAdministration: Projector = (source) => {
  const { resource } = source;
  return medicationEntry(source, drugOf(source), {
    facts: {
      when: firstDate(resource['effectiveDateTime'], at(resource, 'effectivePeriod', 'start')),
      end: endOf(at(resource, 'effectivePeriod', 'end')),
    },
    detail: {
      resource: 'MedicationAdministration',
      intent: null,
      dosage: dosageText(resource['dosage']),
      reason: reasonsOf(source),
      prescriber: labelList(resource['performer'], source),
      note: annotations(resource['note']),
    },
  });
};
