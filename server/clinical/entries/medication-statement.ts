import { formatAnnotations } from './annotation.ts';
import { getPath, joinPresent, presentFields } from './element.ts';
import { findCourseEnd } from './course-end.ts';
import { findCourseStart } from './course-start.ts';
import { describeDosage } from './dosage.ts';
import { readDrug, buildMedicationEntry, formatReasons } from './medication.ts';
import { formatDisplays } from './reference.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { findEndDate, findFirstDate } from './partial-date.ts';
import { readStatusCode } from './status-code.ts';
import { formatStatusReason } from './status-reason.ts';

export const buildMedicationStatement: EntryBuilder = (input) => {
  const { resource } = input;
  const status = readStatusCode(resource['status']);
  const informant = formatDisplays(resource['informationSource'], input);
  const written = findEndDate(getPath(resource, 'effectivePeriod', 'end'));
  const start = resource['effectiveDateTime'] ?? getPath(resource, 'effectivePeriod', 'start');
  const when = findFirstDate(
    resource['effectiveDateTime'],
    getPath(resource, 'effectivePeriod', 'start'),
    resource['dateAsserted'],
  );
  const course =
    written === null
      ? findCourseEnd(resource['dosage'], { start, hasRefills: false })
      : { end: written, isComputed: false };
  return buildMedicationEntry(input, readDrug(input), {
    facts: {
      when,
      end: course.end,
      current: status === 'active',
    },
    detail: {
      resource: 'MedicationStatement',
      intent: null,
      ...describeDosage(resource['dosage']),
      reason: formatReasons(input),
      prescriber: null,
      note: joinPresent(
        [informant && `According to: ${informant}`, formatAnnotations(resource['note'])],
        '\n',
      ),
      ...(course.isComputed && { isEndComputed: true }),
      ...presentFields({
        begins: findCourseStart(resource['dosage'], when.dayText),
        statusReason: formatStatusReason(input),
      }),
    },
  });
};
