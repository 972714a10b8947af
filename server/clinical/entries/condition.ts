import { readAbsence, toAbsenceFields } from './absent-statements.ts';
import { formatAnnotations } from './annotation.ts';
import { toCodeKey, formatConcept, formatConcepts, ICD_10_CM, SNOMED } from './codeable-concept.ts';
import { getPath, joinPresent, presentFields, readText, toElements } from './element.ts';
import { formatTitle } from './group-key.ts';
import { buildEntryBase } from './entry-base.ts';
import { formatUndatedChoice } from './quantity.ts';
import { formatDisplays } from './reference.ts';
import { nameByNarrative } from './narrative.ts';
import { isSocialFinding } from './social-findings.ts';
import { readStatusCode } from './status-code.ts';
import type { Entry } from './entry.ts';
import type { EntryBuilder, EntryInput } from './entry-builder.ts';
import { findEndDate, findFirstDate, parsePartialDate } from './partial-date.ts';

const ACTIVE = new Set(['active', 'recurrence', 'relapse']);

export const buildCondition: EntryBuilder = (input) => {
  const { resource } = input;
  const title = formatTitle(resource['code']) ?? nameByNarrative(resource);
  const clinicalStatus = readStatusCode(resource['clinicalStatus']);
  const verification = readStatusCode(resource['verificationStatus']);
  const onsetDate = readText(resource['onsetDateTime']);
  const onset =
    formatUndatedChoice(resource, 'onset') ?? readUnparsableDate(onsetDate) ?? formatLatestOnset(resource);
  const base = buildEntryBase(input, {
    title,
    whenText: onset,
    code: toCodeKey(resource['code'], [SNOMED, ICD_10_CM]),
    when: findFirstDate(onsetDate, getPath(resource, 'onsetPeriod', 'start'), resource['recordedDate']),
    end: findEndDate(resource['abatementDateTime'], resource['abatementPeriod']),
    status: clinicalStatus,
    current: clinicalStatus !== null && ACTIVE.has(clinicalStatus) && verification !== 'refuted',
  });
  const severity = formatConcept(resource['severity']);
  const bodySite = joinPresent(formatConcepts(resource['bodySite']), ', ');
  const stage = joinPresent(
    toElements(resource['stage']).map((each) => formatConcept(each['summary'])),
    '; ',
  );
  const detail = {
    clinicalStatus,
    verification,
    social: isSocialFinding(resource),
    ...toAbsenceFields(readAbsence(resource['code'], title), [severity, bodySite, stage]),
    onset,
    abatement:
      formatUndatedChoice(resource, 'abatement') ??
      readUnparsableDate(readText(resource['abatementDateTime'])),
    severity,
    note: formatAnnotations(resource['note']),
    ...presentFields({
      bodySite,
      stage,
      asserter: formatDisplays(resource['asserter'], input) ?? formatDisplays(resource['recorder'], input),
      category: joinPresent(formatConcepts(resource['category']), ', '),
    }),
  };
  return borrowVisitDate(input, { ...base, kind: 'condition', detail });
};

/**
 * A condition without a date is dated by the visit that it was diagnosed at, for those who may see visits; hospital exports
 * date none of their diagnoses.
 */
function borrowVisitDate({ context }: EntryInput, entry: Entry): Entry[] {
  const when = entry.day === null && entry.visit !== null ? context.getVisitDate?.(entry.visit) : null;
  if (!when || when.day === null) return [entry];
  return [
    { ...entry, ...when, dateFrom: entry.visit, variant: { borrows: 'VISITS' } },
    { ...entry, variant: { fallbackFor: 'VISITS' } },
  ];
}

/** "no later than 2001-01-01", of a period of which the end alone is known. */
function formatLatestOnset(resource: EntryInput['resource']): string | null {
  const end = readText(getPath(resource, 'onsetPeriod', 'end'));
  return end === null || getPath(resource, 'onsetPeriod', 'start') !== undefined
    ? null
    : `no later than ${end}`;
}

/** Returns a date that is no day of the calendar as it was written. */
function readUnparsableDate(written: string | null): string | null {
  return parsePartialDate(written).day === null ? written : null;
}
