import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCda } from './parse-cda.ts';
import { buildDateTime, toPeriod, buildPeriodOrDateTime, parseTs } from './times.ts';

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
