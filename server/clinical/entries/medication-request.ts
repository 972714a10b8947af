import { formatAnnotations } from './annotation.ts';
import { getPath, isTrue, joinPresent, presentFields, readText } from './element.ts';
import { formatDuration, formatQuantity } from './quantity.ts';
import { findCourseEnd } from './course-end.ts';
import { findCourseStart } from './course-start.ts';
import { describeDosage } from './dosage.ts';
import { formatItself } from './entry-base.ts';
import { buildGroupKey } from './group-key.ts';
import { isForbidden } from './modifiers.ts';
import { findConcept } from './naming-concept.ts';
import { readDrug, buildMedicationEntry, formatReasons } from './medication.ts';
import { formatDisplays, resolveDisplay } from './reference.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { findEndDate, findFirstDate } from './partial-date.ts';
import { readStatusCode } from './status-code.ts';
import { formatStatusReason } from './status-reason.ts';
import { formatConcepts } from './codeable-concept.ts';
import type { ParsedResource } from '../store/found-resource.ts';

export const buildMedicationRequest: EntryBuilder = (input) => {
  const { resource } = input;
  const drug = readDrug(input);
  const forbidden = isForbidden(resource);
  const name = drug.name ?? 'a medication without a name';
  const prohibition = { ...drug, name: `Do not give: ${name}` };
  const when = findFirstDate(resource['authoredOn']);
  const course = findCourseEnd(resource['dosageInstruction'], {
    start: resource['authoredOn'],
    hasRefills: Number(readText(getPath(resource, 'dispenseRequest', 'numberOfRepeatsAllowed'))) > 0,
  });
  return buildMedicationEntry(input, forbidden ? prohibition : drug, {
    facts: {
      when,
      end: course.end,
      current: readStatusCode(resource['status']) === 'active' && isTaken(resource) && !forbidden,
      // A prohibition must not be counted as one more prescription of the drug it forbids.
      ...(forbidden && {
        groupKey: `not:${buildGroupKey({ code: drug.code, title: name, concept: findConcept(resource), itself: formatItself(input) })}`,
      }),
    },
    detail: {
      resource: 'MedicationRequest',
      intent: readStatusCode(resource['intent']),
      ...describeDosage(resource['dosageInstruction']),
      reason: formatReasons(input),
      prescriber: resolveDisplay(resource['requester'], input),
      note: formatAnnotations(resource['note']),
      ...(course.isComputed && { isEndComputed: true }),
      ...presentFields({
        begins: findCourseStart(resource['dosageInstruction'], when.dayText),
        statusReason: formatStatusReason(input),
        ...readSupply(resource['dispenseRequest']),
        performer: formatDisplays(resource['performer'], input),
        category: joinPresent(formatConcepts(resource['category']), ', '),
      }),
    },
  });
};

/** "2 refills", "30 tablets, for 30 days", and until when the prescription may be dispensed, which is no end of the course. */
function readSupply(value: unknown): Record<'refills' | 'supply' | 'validUntil', string | null> {
  const repeats = readText(getPath(value, 'numberOfRepeatsAllowed'));
  const amount = formatQuantity(getPath(value, 'quantity'));
  const duration = formatDuration(getPath(value, 'expectedSupplyDuration'));
  return {
    refills: repeats && `${repeats} ${repeats === '1' ? 'refill' : 'refills'}`,
    supply: joinPresent([amount, duration && `for ${duration}`], ', '),
    validUntil:
      findEndDate(getPath(value, 'validityPeriod')) ?? readText(getPath(value, 'validityPeriod', 'end')),
  };
}

/**
 * A proposal or option is nobody's prescription yet. A plan is one only where it reports what the patient takes:
 * US Core writes self-reported over-the-counter drugs as intent `plan` with reported[x].
 */
function isTaken(resource: ParsedResource): boolean {
  const intent = readStatusCode(resource['intent']);
  const reported =
    isTrue(resource['reportedBoolean']) || getPath(resource, 'reportedReference', 'reference') !== undefined;
  if (intent === 'plan') return reported;
  return intent !== 'proposal' && intent !== 'option';
}
