import { annotations } from './annotation.ts';
import { codeKey, conceptText, conceptTexts, CVX } from './codeable-concept.ts';
import { elements, joined, text, type Element } from './element.ts';
import { entryBase } from './entry-base.ts';
import { quantityText } from './quantity.ts';
import type { Projector } from './source.ts';
import { firstDate, writtenDate } from './written-date.ts';

export const immunization: Projector = (source) => {
  const { resource } = source;
  const written = text(resource['occurrenceDateTime']);
  const occurrence =
    text(resource['occurrenceString']) ?? (writtenDate(written).day === null ? written : null);
  const base = entryBase(source, {
    title: conceptText(resource['vaccineCode']),
    code: codeKey(resource['vaccineCode'], [CVX]),
    when: firstDate(written, resource['recorded']),
  });
  const notDone = text(resource['status']) === 'not-done';
  const reasons = joined(
    [...conceptTexts(resource['statusReason']), ...conceptTexts(resource['reasonCode'])],
    '; ',
  );
  const doses = elements(resource['protocolApplied']).map(doseInSeries);
  const detail = {
    notDone,
    notDoneReason: notDone ? reasons : null,
    dose: joined([...doses, quantityText(resource['doseQuantity'])], ', '),
    lot: text(resource['lotNumber']),
    note: joined([occurrence && `Given: ${occurrence}`, annotations(resource['note'])], '\n'),
  };
  return [{ ...base, kind: 'immunization', detail }];
};

/** "dose 2 of 3 (2-dose series)". */
function doseInSeries(protocol: Element): string | null {
  const number = text(protocol['doseNumberPositiveInt']) ?? text(protocol['doseNumberString']);
  const of = text(protocol['seriesDosesPositiveInt']) ?? text(protocol['seriesDosesString']);
  const series = text(protocol['series']);
  const dose = number && joined([`dose ${number}`, of && `of ${of}`], ' ');
  return joined([dose, series && `(${series})`], ' ');
}
