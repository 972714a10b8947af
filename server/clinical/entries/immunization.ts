import { presentAbsence, readAbsence } from './absent-statements.ts';
import { formatAnnotations } from './annotation.ts';
import { toCodeKey, formatConcept, formatConcepts, CVX } from './codeable-concept.ts';
import {
  getPath,
  isTrue,
  presentFields,
  toElements,
  joinPresent,
  readText,
  type Element,
} from './element.ts';
import { formatTitle } from './group-key.ts';
import { buildEntryBase } from './entry-base.ts';
import { nameByNarrative } from './narrative.ts';
import { formatQuantity } from './quantity.ts';
import { formatDisplays, resolveDisplays } from './reference.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { findFirstDate, parsePartialDate } from './partial-date.ts';
import { readStatusCode } from './status-code.ts';
import { formatStatusReason } from './status-reason.ts';

export const buildImmunization: EntryBuilder = (input) => {
  const { resource } = input;
  const written = readText(resource['occurrenceDateTime']);
  const occurrence =
    readText(resource['occurrenceString']) ?? (parsePartialDate(written).day === null ? written : null);
  const title = formatTitle(resource['vaccineCode']) ?? nameByNarrative(resource);
  const base = buildEntryBase(input, {
    title,
    whenText: occurrence,
    code: toCodeKey(resource['vaccineCode'], [CVX]),
    when: findFirstDate(written, resource['recorded']),
  });
  const notDone = readStatusCode(resource['status']) === 'not-done';
  const reasons = joinPresent([formatStatusReason(input), ...formatConcepts(resource['reasonCode'])], '; ');
  const doses = toElements(resource['protocolApplied']).map(formatSeriesDose);
  const detail = {
    notDone,
    notDoneReason: notDone ? reasons : null,
    dose: joinPresent([...doses, formatQuantity(resource['doseQuantity'])], ', '),
    lot: readText(resource['lotNumber']),
    note: joinPresent([occurrence && `Given: ${occurrence}`, formatAnnotations(resource['note'])], '\n'),
    ...presentAbsence(readAbsence(resource['vaccineCode'], title), {
      title,
      doneOn: notDone ? null : base.dayText,
    }),
    ...presentFields({
      manufacturer: formatDisplays(resource['manufacturer'], input),
      expires: readText(resource['expirationDate']),
      site: formatConcept(resource['site']),
      route: formatConcept(resource['route']),
      performer: formatDisplays(resource['performer'], input),
      location: formatDisplays(resource['location'], input),
      reason: notDone ? null : joinPresent(formatConcepts(resource['reasonCode']), '; '),
      reactions: joinPresent(resolveDisplays(getPath(resource, 'reaction', 'detail'), input), '; '),
      reported: formatConcept(resource['reportOrigin']),
      subpotent: isTrue(resource['isSubpotent'])
        ? (joinPresent(formatConcepts(resource['subpotentReason']), '; ') ?? 'reason not recorded')
        : null,
    }),
  };
  return [{ ...base, kind: 'immunization', detail }];
};

/** "dose 2 of 3 (2-dose series)". */
function formatSeriesDose(protocol: Element): string | null {
  const number = readText(protocol['doseNumberPositiveInt']) ?? readText(protocol['doseNumberString']);
  const of = readText(protocol['seriesDosesPositiveInt']) ?? readText(protocol['seriesDosesString']);
  const series = readText(protocol['series']);
  const dose = number && joinPresent([`dose ${number}`, of && `of ${of}`], ' ');
  return joinPresent([dose, series && `(${series})`], ' ');
}
