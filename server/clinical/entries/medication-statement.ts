import { formatAnnotations } from './annotation.ts';
import { getPath, joinPresent, readText } from './element.ts';
import { describeDosage } from './dosage.ts';
import { readDrug, buildMedicationEntry, formatReasons } from './medication.ts';
import { formatDisplays } from './reference.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { findEndDate, findFirstDate } from './partial-date.ts';
import { describeStatusReason } from './status-reason.ts';

export const buildMedicationStatement: EntryBuilder = (input) => {
  const { resource } = input;
  const status = readText(resource['status']);
  const informant = formatDisplays(resource['informationSource'], input);
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
          describeStatusReason(input),
          formatAnnotations(resource['note']),
        ],
        '\n',
      ),
    },
  });
};
