import { presentAbsence, readAbsence } from './absent-statements.ts';
import { formatAnnotations } from './annotation.ts';
import { toCodeKey, formatConcept, formatConcepts, SNOMED } from './codeable-concept.ts';
import { getPath, joinPresent, presentFields, readText } from './element.ts';
import { formatTitle } from './group-key.ts';
import { buildEntryBase } from './entry-base.ts';
import { nameByNarrative } from './narrative.ts';
import { formatUndatedChoice } from './quantity.ts';
import { formatDisplays, resolveDisplays } from './reference.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { findEndDate, findFirstDate, parsePartialDate } from './partial-date.ts';
import { readStatusCode } from './status-code.ts';
import { describeStatusReason, formatStatusReason } from './status-reason.ts';

export const buildProcedure: EntryBuilder = (input) => {
  const { resource } = input;
  const written = readText(resource['performedDateTime']);
  const performed =
    formatUndatedChoice(resource, 'performed') ?? (parsePartialDate(written).day === null ? written : null);
  const name = formatTitle(resource['code']) ?? nameByNarrative(resource);
  const title = name ?? formatConcept(resource['category']);
  const base = buildEntryBase(input, {
    title,
    isKindAlone: name === null && title !== null,
    whenText: performed,
    code: toCodeKey(resource['code'], [SNOMED]),
    when: findFirstDate(
      written,
      getPath(resource, 'performedPeriod', 'start'),
      getPath(resource, 'performedPeriod', 'end'),
    ),
    end: findEndDate(getPath(resource, 'performedPeriod', 'end')),
  });
  const reason = [
    ...formatConcepts(resource['reasonCode']),
    ...resolveDisplays(resource['reasonReference'], input),
  ];
  const isNotDone = readStatusCode(resource['status']) === 'not-done';
  const detail = {
    notDoneReason: isNotDone ? (formatStatusReason(input) ?? 'reason not recorded') : null,
    bodySite: joinPresent(formatConcepts(resource['bodySite']), ', '),
    reason: joinPresent(reason, '; '),
    performer: formatDisplays(resource['performer'], input),
    note: joinPresent(
      [
        performed && `Performed: ${performed}`,
        isNotDone ? null : describeStatusReason(input),
        formatAnnotations(resource['note']),
      ],
      '\n',
    ),
    ...presentAbsence(readAbsence(resource['code'], title), { title, doneOn: base.dayText }),
    ...presentFields({
      location: formatDisplays(resource['location'], input),
      outcome: formatConcept(resource['outcome']),
      complications: joinPresent(formatConcepts(resource['complication']), '; '),
      followUp: joinPresent(formatConcepts(resource['followUp']), '; '),
      category: formatConcept(resource['category']),
    }),
  };
  return [{ ...base, kind: 'procedure', detail }];
};
