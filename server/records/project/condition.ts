import { saysNone } from './absent-statements.ts';
import { annotations } from './annotation.ts';
import { codeKey, conceptText, ICD_10_CM, SNOMED, statusCode } from './codeable-concept.ts';
import { at, text } from './element.ts';
import { entryBase } from './entry-base.ts';
import { endOf } from './period.ts';
import { inOtherWords } from './quantity.ts';
import { isSocialFinding } from './social-findings.ts';
import type { Projector } from './source.ts';
import { firstDate, writtenDate } from './written-date.ts';

const ACTIVE = new Set(['active', 'recurrence', 'relapse']);

export const condition: Projector = (source) => {
  const { resource } = source;
  const title = conceptText(resource['code']);
  const clinicalStatus = statusCode(resource['clinicalStatus']);
  const verification = statusCode(resource['verificationStatus']);
  const onsetDate = text(resource['onsetDateTime']);
  const base = entryBase(source, {
    title,
    code: codeKey(resource['code'], [SNOMED, ICD_10_CM]),
    when: firstDate(onsetDate, at(resource, 'onsetPeriod', 'start'), resource['recordedDate']),
    end: endOf(resource['abatementDateTime'], resource['abatementPeriod']),
    status: clinicalStatus,
    current: clinicalStatus !== null && ACTIVE.has(clinicalStatus) && verification !== 'refuted',
  });
  const detail = {
    clinicalStatus,
    verification,
    social: isSocialFinding(resource),
    none: saysNone(resource['code'], title),
    onset: inOtherWords(resource, 'onset') ?? unreadable(onsetDate),
    abatement: inOtherWords(resource, 'abatement') ?? unreadable(text(resource['abatementDateTime'])),
    severity: conceptText(resource['severity']),
    note: annotations(resource['note']),
  };
  return [{ ...base, kind: 'condition', detail }];
};

/** A date that is no day of the calendar is kept as the words it was written in. */
function unreadable(written: string | null): string | null {
  return writtenDate(written).day === null ? written : null;
}
