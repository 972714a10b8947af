import { annotations } from './annotation.ts';
import { codeKey, conceptText, conceptTexts, SNOMED } from './codeable-concept.ts';
import { at, joined, text } from './element.ts';
import { entryBase } from './entry-base.ts';
import { endOf } from './period.ts';
import { inOtherWords } from './quantity.ts';
import { labelList, labelsOf } from './reference.ts';
import type { Projector } from './source.ts';
import { firstDate, writtenDate } from './written-date.ts';

export const procedure: Projector = (source) => {
  const { resource } = source;
  const written = text(resource['performedDateTime']);
  const performed =
    inOtherWords(resource, 'performed') ?? (writtenDate(written).day === null ? written : null);
  const base = entryBase(source, {
    title: conceptText(resource['code']) ?? conceptText(resource['category']),
    code: codeKey(resource['code'], [SNOMED]),
    when: firstDate(
      written,
      at(resource, 'performedPeriod', 'start'),
      at(resource, 'performedPeriod', 'end'),
    ),
    end: endOf(at(resource, 'performedPeriod', 'end')),
  });
  const reason = [...conceptTexts(resource['reasonCode']), ...labelsOf(resource['reasonReference'], source)];
  const detail = {
    notDoneReason:
      text(resource['status']) === 'not-done'
        ? (conceptText(resource['statusReason']) ?? 'reason not told')
        : null,
    bodySite: joined(conceptTexts(resource['bodySite']), ', '),
    reason: joined(reason, '; '),
    performer: labelList(resource['performer'], source),
    note: joined([performed && `Performed: ${performed}`, annotations(resource['note'])], '\n'),
  };
  return [{ ...base, kind: 'procedure', detail }];
};
