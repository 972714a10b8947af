import { formatAnnotations } from './annotation.ts';
import { getPath, presentFields } from './element.ts';
import { describeDosage } from './dosage.ts';
import { readDrug, buildMedicationEntry, formatReasons } from './medication.ts';
import { formatDisplays } from './reference.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { findEndDate, findFirstDate } from './partial-date.ts';
import { formatStatusReason } from './status-reason.ts';

/** Builds the entry of one dose given, which is no prescription and never current. */
export const buildMedicationAdministration: EntryBuilder = (input) => {
  const { resource } = input;
  return buildMedicationEntry(input, readDrug(input), {
    facts: {
      when: findFirstDate(resource['effectiveDateTime'], getPath(resource, 'effectivePeriod', 'start')),
      end: findEndDate(getPath(resource, 'effectivePeriod', 'end')),
    },
    detail: {
      resource: 'MedicationAdministration',
      intent: null,
      ...describeDosage(resource['dosage']),
      reason: formatReasons(input),
      prescriber: formatDisplays(resource['performer'], input),
      note: formatAnnotations(resource['note']),
      ...presentFields({
        performer: formatDisplays(resource['performer'], input),
        statusReason: formatStatusReason(input),
      }),
    },
  });
};
