import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { parseEverythingParameters } from './everything-parameters.ts';

const findFault = (query: Parameters<typeof parseEverythingParameters>[0]): string | undefined => {
  try {
    parseEverythingParameters(query);
  } catch (error) {
    assert.ok(error instanceof Refusal);
    assert.equal(error.status, 400);
    return error.errors[0]?.path;
  }
  return undefined;
};

const instant = (since: string): string | undefined =>
  parseEverythingParameters({ _since: since }).since?.at.toISOString();

describe('parseEverythingParameters', () => {
  it('defaults to the first 500 entries of all types', () => {
    assert.deepEqual(parseEverythingParameters({}), {
      count: 500,
      offset: 0,
      types: null,
      since: null,
      dates: null,
      state: null,
      after: null,
      counted: null,
      presentation: {},
    });
  });

  it('accepts whole numbers only, and at most 5000 entries', () => {
    assert.deepEqual(
      ['0', '1', '0007', '5000', '5001', '999999999'].map(
        (_count) => parseEverythingParameters({ _count }).count,
      ),
      [0, 1, 7, 5000, 5000, 5000],
    );
    for (const name of ['_count', '_offset'])
      fc.assert(
        fc.property(fc.string(), (text) => {
          const isWhole = /^[0-9]{1,9}$/.test(text);
          assert.equal(findFault({ [name]: text }), isWhole ? undefined : name);
        }),
      );
  });

  it('keeps what links have to say again, and no total of a link', () => {
    const read = (query: object) => parseEverythingParameters(query).presentation;
    for (const mode of ['none', 'estimate', 'accurate'])
      assert.deepEqual(read({ _total: mode, _format: 'json' }), { _total: mode, _format: 'json' });
    assert.deepEqual(read({ _total: '7' }), {});
    for (const text of ['many', '-1', '1.5', '']) assert.equal(findFault({ _total: text }), '_total');
  });

  it('lists each type once, and refuses types that FHIR R4 does not have', () => {
    assert.deepEqual(parseEverythingParameters({ _type: 'Patient, Condition,Patient' }).types, [
      'Patient',
      'Condition',
    ]);
    for (const named of [
      '',
      ' ',
      'Patient,',
      'patient',
      'Resource',
      'DomainResource',
      '__proto__',
      'toString',
    ])
      assert.equal(findFault({ _type: named }), '_type', named);
  });

  it('parses a time of any precision, in UTC without a zone', () => {
    assert.equal(instant('2024'), '2024-01-01T00:00:00.000Z');
    assert.equal(instant('2024-02'), '2024-02-01T00:00:00.000Z');
    assert.equal(instant('2024-02-29'), '2024-02-29T00:00:00.000Z');
    assert.equal(instant('2024-02-29T23:30'), '2024-02-29T23:30:00.000Z');
    assert.equal(instant('2024-02-29T23:30:10.5-05:30'), '2024-03-01T05:00:10.500Z');
    assert.equal(instant('2024-02-29T23:30:10.123999+02:00'), '2024-02-29T21:30:10.123Z');
    assert.equal(instant('2016-12-31T23:59:60Z'), '2016-12-31T23:59:59.000Z');
    assert.equal(
      parseEverythingParameters({ _since: '2024-02-29T10:00:00 02:00' }).since?.raw,
      '2024-02-29T10:00:00+02:00',
    );
  });

  it('accepts every instant that can be written, and refuses days that do not exist', () => {
    const date = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(fc.property(date, (at) => assert.equal(instant(at.toISOString()), at.toISOString())));
    for (const day of [
      '2023-02-29',
      '1900-02-29',
      '2024-04-31',
      '2024-00-10',
      '2024-13-01',
      '2024-01-32',
      '0000-01-01',
    ])
      assert.equal(findFault({ _since: day }), '_since', day);
    for (const time of ['24:00:00Z', '10:60:00Z', '10', '10:00:00.Z', '10:00:00z', '10:00:00+1:00'])
      assert.equal(findFault({ _since: `2024-01-01T${time}` }), '_since', time);
    // Beyond the years of four digits, in UTC.
    for (const edge of ['9999-12-31T23:59:59-14:00', '0001-01-01T00:00:00+14:00'])
      assert.equal(findFault({ _since: edge }), '_since', edge);
  });

  it('reads start and end as the first and the last day that they name', () => {
    const dates = (query: object) => {
      const found = parseEverythingParameters(query).dates;
      return found && [found.start, found.end, found.raw];
    };
    assert.deepEqual(dates({ start: '2015' }), ['2015-01-01', null, { start: '2015' }]);
    assert.deepEqual(dates({ end: '2016-02' }), [null, '2016-02-29', { end: '2016-02' }]);
    const day = { start: '2015-03-04', end: '2015-03-04' };
    assert.deepEqual(dates(day), ['2015-03-04', '2015-03-04', day]);
    assert.equal(findFault({ start: '2016', end: '2015' }), 'end');
    for (const bad of ['', '2015-13', '2015-02-29', '0000', '2015-01-01T00:00:00Z', 'ge2015', '2015-1-1'])
      for (const name of ['start', 'end']) assert.equal(findFault({ [name]: bad }), name, bad);
  });

  it('never quotes a value', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('_count', '_type', '_since', '_state', 'start', 'end'),
        fc.string({ minLength: 12 }),
        (name, text) => {
          try {
            parseEverythingParameters({ [name]: text });
          } catch (error) {
            assert.ok(!(error as Error).message.includes(text));
          }
        },
      ),
    );
  });
});
