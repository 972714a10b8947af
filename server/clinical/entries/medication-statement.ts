import { formatAnnotations } from './annotation.ts';
import { formatConcepts } from './codeable-concept.ts';
import { getPath, joinPresent, readText } from './element.ts';
import { describeDosage } from './dosage.ts';
import { readDrug, buildMedicationEntry, formatReasons } from './medication.ts';
import { formatDisplays } from './reference.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { findEndDate, findFirstDate } from './partial-date.ts';

export const buildMedicationStatement: EntryBuilder = (input) => {
  const { resource } = input;
  const status = readText(resource['status']);
  const informant = formatDisplays(resource['informationSource'], input);
  const reasons = joinPresent(formatConcepts(resource['statusReason']), '; ');
  return buildMedicationEntry(input, readDrug(input), {
    facts: {
      when: findFirstDate(
        resource['effectiveDateTime'],
        getPath(resource, 'effectivePeriod', 'start'),
        resource['dateAsserted'],
      ),
      end: findEndDate(getPath(resource, 'effectivePeriod', 'end')),
      current: status === 'active',
    },
    detail: {
      resource: 'MedicationStatement',
      intent: null,
      ...describeDosage(resource['dosage']),
      reason: formatReasons(input),
      prescriber: null,
      note: joinPresent(
        [
          informant && `According to: ${informant}`,
          reasons && `Reason for the status: ${reasons}`,
          formatAnnotations(resource['note']),
        ],
        '\n',
      ),
    },
  });
};
