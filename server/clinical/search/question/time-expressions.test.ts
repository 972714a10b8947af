import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findTimeExpressions } from './time-expressions.ts';

const TODAY = '2026-11-20';

/** What is left of a text without its time expressions, and what they mean. */
function read(text: string) {
  const found = findTimeExpressions(text, TODAY);
  const rest = found
    .reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text)
    .replace(/\s+/g, ' ')
    .trim();
  const { days, order } = found[0] ?? {};
  return [rest, days ? `${days.from ?? ''}..${days.before ?? ''}` : (order ?? null)];
}

describe('a time expression', () => {
  it('names a year, a month or a day, however it is written', () => {
    for (const [text, expected] of [
      ['visits in 2019', '2019-01-01..2020-01-01'],
      ['visits 2019', '2019-01-01..2020-01-01'],
      ['visits en el año 2019', '2019-01-01..2020-01-01'],
      ['visits im Jahr 2019', '2019-01-01..2020-01-01'],
      ['visits in March 2020', '2020-03-01..2020-04-01'],
      ['visits en marzo de 2020', '2020-03-01..2020-04-01'],
      ['visits im März 2020', '2020-03-01..2020-04-01'],
      ['visits 2020-03', '2020-03-01..2020-04-01'],
      ['visits on March 5, 2020', '2020-03-05..2020-03-06'],
      ['visits 5th of March 2020', '2020-03-05..2020-03-06'],
      ['visits 2020-03-05', '2020-03-05..2020-03-06'],
      ['visits on 3/5/2020', '2020-03-05..2020-03-06'],
      ['visits on 25/3/2020', '2020-03-25..2020-03-26'],
      ['visits am 5.3.2020', '2020-03-05..2020-03-06'],
      ['visits in may', '2026-05-01..2026-06-01'],
      ['visits in December', '2025-12-01..2026-01-01'],
    ])
      assert.deepEqual(read(text as string), ['visits', expected], text);
  });

  it('names a part of a year or a decade', () => {
    for (const [text, expected] of [
      ['visits in the summer of 2019', '2019-06-01..2019-10-01'],
      ['visits en verano de 2019', '2019-06-01..2019-10-01'],
      ['visits im Herbst 2019', '2019-09-01..2020-01-01'],
      ['visits in early 2019', '2019-01-01..2019-06-01'],
      ['visits a finales de 2018', '2018-08-01..2019-01-01'],
      ['visits Anfang 2019', '2019-01-01..2019-06-01'],
      ['visits in the first half of 2019', '2019-01-01..2019-07-01'],
      ['visits Q4 2019', '2019-10-01..2020-01-01'],
      ['visits in the 90s', '1990-01-01..2000-01-01'],
      ['visits en los años noventa', '1990-01-01..2000-01-01'],
      ['visits in den 90er Jahren', '1990-01-01..2000-01-01'],
    ])
      assert.deepEqual(read(text as string), ['visits', expected], text);
    assert.deepEqual(read('visits in her 90s'), ['visits in her 90s', null]);
  });

  it('names a range or an open end', () => {
    for (const [text, expected] of [
      ['visits between 2015 and 2018', '2015-01-01..2019-01-01'],
      ['visits from 2015 to 2018', '2015-01-01..2019-01-01'],
      ['visits 2015-2018', '2015-01-01..2019-01-01'],
      ['visits 2015–2018', '2015-01-01..2019-01-01'],
      ['visits entre 2015 y 2018', '2015-01-01..2019-01-01'],
      ['visits von 2015 bis 2018', '2015-01-01..2019-01-01'],
      ['visits from March to May 2020', '2020-03-01..2020-06-01'],
      ['visits since March', '2026-03-01..'],
      ['visits desde 2015', '2015-01-01..'],
      ['visits seit 2015', '2015-01-01..'],
      ['visits after 2015', '2016-01-01..'],
      ['visits después de 2015', '2016-01-01..'],
      ['visits before 2015', '..2015-01-01'],
      ['visits antes del 2015', '..2015-01-01'],
      ['visits vor 2015', '..2015-01-01'],
      ['visits until 2015', '..2016-01-01'],
      ['visits bis 2015', '..2016-01-01'],
    ])
      assert.deepEqual(read(text as string), ['visits', expected], text);
  });

  it('is counted from today', () => {
    for (const [text, expected] of [
      ['visits this year', '2026-01-01..2027-01-01'],
      ['visits este año', '2026-01-01..2027-01-01'],
      ['visits dieses Jahr', '2026-01-01..2027-01-01'],
      ['visits last month', '2026-10-01..2026-11-01'],
      ['visits el mes pasado', '2026-10-01..2026-11-01'],
      ['visits letzten Monat', '2026-10-01..2026-11-01'],
      ['visits last week', '2026-11-09..2026-11-16'],
      ['visits in the past 6 months', '2026-05-20..'],
      ['visits en los últimos seis meses', '2026-05-20..'],
      ['visits in den letzten 6 Monaten', '2026-05-20..'],
      ['visits in the last couple of years', '2024-11-20..'],
      ['visits the past year', '2025-11-20..'],
      ['visits in the last year', '2025-11-20..'],
      ['visits within the last year', '2025-11-20..'],
      ['visits within last year', '2025-11-20..'],
      ['visits during the last month', '2026-10-20..'],
      ['visits over the last week', '2026-11-13..'],
      ['visits en el último año', '2025-11-20..'],
      ['visits innerhalb des letzten Jahres', '2025-11-20..'],
      ['visits last year', '2025-01-01..2026-01-01'],
      ['visits during last year', '2025-01-01..2026-01-01'],
      ['visits el año pasado', '2025-01-01..2026-01-01'],
      ['visits letztes Jahr', '2025-01-01..2026-01-01'],
      ['visits since last year', '2025-01-01..'],
      ['visits desde el año pasado', '2025-01-01..'],
      ['visits seit letztem Monat', '2026-10-01..'],
      ['visits 5 years ago', '2021-05-20..2022-06-20'],
      ['visits hace 5 años', '2021-05-20..2022-06-20'],
      ['visits vor 5 Jahren', '2021-05-20..2022-06-20'],
      ['visits yesterday', '2026-11-19..2026-11-20'],
      ['visits heute', '2026-11-20..2026-11-21'],
    ])
      assert.deepEqual(read(text as string), ['visits', expected], text);
    for (const [text, isRelative] of [
      ['last month', true],
      ['since March', true],
      ['in 2019', undefined],
    ] as const)
      assert.equal(findTimeExpressions(text, TODAY)[0]?.isRelative, isRelative, text);
  });

  it('names an end of the history', () => {
    for (const text of [
      'my last visit',
      'latest visit',
      'most recent visit',
      'mi última visit',
      'letzter visit',
      'visit zuletzt',
      'last 3 visit',
    ])
      assert.deepEqual(read(text), ['visit', 'newest'], text);
    for (const text of ['first visit', 'primera visit', 'erste visit', 'the first ever visit'])
      assert.deepEqual(read(text), ['visit', 'oldest'], text);
  });

  it('is none where the words mean something else', () => {
    for (const text of [
      'first degree burn',
      'first aid',
      'may I have an x-ray',
      'vitamin d 2000 iu',
      'type 2 diabetes',
      'covid-19',
      '120/80',
      '',
      '2020-99-99',
      '31.2.2020',
    ])
      assert.deepEqual(findTimeExpressions(text, TODAY), [], text);
  });
});
