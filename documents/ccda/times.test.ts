import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCda } from './parse-cda.ts';
import { buildDateTime, toPeriod, toTime, buildPeriodOrDateTime, parseTs } from './times.ts';

const interval = (inside: string) => parseCda(Buffer.from(`<effectiveTime>${inside}</effectiveTime>`));

describe('a time of a CDA document', () => {
  const CASES: [string, string | undefined][] = [
    ['1975', '1975'],
    ['197505', '1975-05'],
    ['19750501', '1975-05-01'],
    ['201308151030-0800', '2013-08-15T10:30:00-08:00'],
    ['20130815103000+0000', '2013-08-15T10:30:00+00:00'],
    ['20130815103000.250-0500', '2013-08-15T10:30:00.250-05:00'],
    ['2013081510-05', '2013-08-15T10:00:00-05:00'],
    ['20130815103000Z', '2013-08-15T10:30:00Z'],
    ['20130815000000', '2013-08-15'],
    ['201308156', undefined],
    ['20130231', undefined],
    ['20131301', undefined],
    ['20120229', '2012-02-29'],
    ['00000101', undefined],
    ['today', undefined],
    ['', undefined],
  ];
  for (const [written, value] of CASES)
    it(`written "${written}" is ${value ?? 'no date'}`, () => assert.equal(parseTs(written)?.value, value));

  it('becomes a date without a zone, and keeps its original text', () => {
    assert.deepEqual(buildDateTime('recorded', parseTs('201308151030')), {
      recorded: '2013-08-15',
      _recorded: {
        extension: [
          { url: 'http://hl7.org/fhir/StructureDefinition/originalText', valueString: '201308151030' },
        ],
      },
    });
  });

  const original = (valueString: string) => ({
    extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/originalText', valueString }],
  });

  it('keeps its original text alone where it is no date, and is absent where it says nothing', () => {
    const point = (value: string) => parseCda(Buffer.from(`<effectiveTime value="${value}"/>`));
    for (const written of ['200130311', '20250230', '20251332', '2014032124536-0500', '03/09/2026'])
      assert.deepEqual(buildPeriodOrDateTime('effective', point(written)), {
        _effectiveDateTime: original(written),
      });
    for (const written of ['0000', '00000000', 'UNK', ''])
      assert.deepEqual(buildPeriodOrDateTime('effective', point(written)), {}, written);
    assert.deepEqual(toPeriod(interval('<low value="200130311"/><high value="20130312"/>')), {
      _start: original('200130311'),
      end: '2013-03-12',
    });
    assert.deepEqual(
      buildPeriodOrDateTime('performed', interval('<low value="2011"/><high value="20250230"/>')),
      { performedPeriod: { start: '2011', _end: original('20250230') } },
    );
    assert.deepEqual(toTime(interval('<low value="200130311"/><high value="2013"/>')), { value: '2013' });
  });

  it('becomes a date where its hour is invalid', () => {
    assert.deepEqual(parseTs('20130815240000-0500'), {
      value: '2013-08-15',
      original: '20130815240000-0500',
    });
  });

  it('becomes a period with an end, and a dateTime without', () => {
    assert.deepEqual(
      buildPeriodOrDateTime('performed', interval('<low value="2011"/><high value="201204"/>')),
      {
        performedPeriod: { start: '2011', end: '2012-04' },
      },
    );
    assert.deepEqual(
      buildPeriodOrDateTime('performed', interval('<low value="2011"/><high nullFlavor="UNK"/>')),
      {
        performedDateTime: '2011',
      },
    );
    assert.deepEqual(buildPeriodOrDateTime('performed', interval('<low nullFlavor="UNK"/>')), {});
  });

  it('has no end where that is before its start', () => {
    assert.deepEqual(toPeriod(interval('<low value="20120101"/><high value="20110101"/>')), {
      start: '2012-01-01',
    });
  });
});
