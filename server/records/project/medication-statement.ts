import { annotations } from './annotation.ts';
import { conceptTexts } from './codeable-concept.ts';
import { at, joined, text } from './element.ts';
import { dosageText } from './dosage.ts';
import { drugOf, medicationEntry, reasonsOf } from './medication.ts';
import { endOf } from './period.ts';
import { labelList } from './reference.ts';
import type { Projector } from './source.ts';
import { firstDate } from './written-date.ts';

export const medicationStatement: Projector = (source) => {
  const { resource } = source;
  const status = text(resource['status']);
  const informant = labelList(resource['informationSource'], source);
  const reasons = joined(conceptTexts(resource['statusReason']), '; ');
  return medicationEntry(source, drugOf(source), {
    facts: {
      when: firstDate(
        resource['effectiveDateTime'],
        at(resource, 'effectivePeriod', 'start'),
        resource['dateAsserted'],
      ),
      end: endOf(at(resource, 'effectivePeriod', 'end')),
      current: status === 'active',
    },
    detail: {
      resource: 'MedicationStatement',
      intent: null,
      dosage: dosageText(resource['dosage']),
      reason: reasonsOf(source),
      prescriber: null,
      note: joined(
        [
          informant && `According to: ${informant}`,
          reasons && `Reason for the status: ${reasons}`,
          annotations(resource['note']),
        ],
        '\n',
      ),
    },
  });
};
