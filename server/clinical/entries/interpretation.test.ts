import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computeInterpretation, readFlag } from './interpretation.ts';

const range = (text: string) => [{ text }];
const between = (low: string | null, high: string | null, unit?: string) => [
  {
    ...(low !== null && { low: { value: low, unit } }),
    ...(high !== null && { high: { value: high, unit } }),
  },
];
const judge = (value: string, ranges: unknown, unit: string | null = null) =>
  computeInterpretation({ value, unit }, ranges, null)?.text ?? null;

describe('the computed interpretation', () => {
  it('says on which side of its range a value lies, in the digits of the range', () => {
    assert.equal(judge('190', between('0', '100', 'mg/dL'), 'mg/dL'), 'above 100');
    assert.equal(judge('3.1', between('3.50', '5.0')), 'below 3.50');
    assert.equal(judge('100', between('0', '100')), null);
    assert.equal(judge('50', between(null, '60')), null);
    assert.equal(judge('50', between('60', null)), 'below 60');
  });

  it('understands ranges as text where they mean one thing', () => {
    for (const [text, value, expected] of [
      ['<10', '12', 'above 10'],
      ['<10', '10', 'not below 10'],
      ['<10', '9', null],
      ['<= 10', '10', null],
      ['3-8', '9', 'above 8'],
      ['3 – 8', '2', 'below 3'],
      ['3,5 bis 8,0', '8.1', 'above 8,0'],
      ['bis 5', '6', 'above 5'],
      ['up to 5', '5', null],
      ['> 60', '59', 'below 60'],
      ['ab 4', '3', 'below 4'],
      ['mind. 4', '3', 'below 4'],
      ['Normal: 3.5 to 5', '6', 'above 5'],
      ['-2 - 2', '-3', 'below -2'],
      ['negative', '3', null],
      ['<5 negative; 5-10 borderline', '7', null],
      ['see comment', '7', null],
      ['1,234-2,345', '1', null],
      ['8-3', '5', null],
    ] as const)
      assert.equal(judge(value, range(text)), expected, `${value} in ${text}`);
  });

  it('compares nothing in another unit, and no words', () => {
    assert.equal(judge('7', between('3', '5', 'mmol/L'), 'mg/dL'), null);
    assert.equal(judge('7', between('3', '5', 'MMOL/l'), 'mmol/L'), 'above 5');
    assert.equal(judge('7', range('3-5 mmol/L'), 'mmol/L'), 'above 5');
    assert.equal(judge('7', range('3-5 mmol/L'), 'mg/dL'), null);
    assert.equal(judge('Positive', between('3', '5')), null);
    assert.equal(judge('2021-03-05', between('3', '5')), null);
  });

  it('heeds the comparator of a value', () => {
    assert.equal(judge('<0.5', between('1', '5')), 'below 1');
    assert.equal(judge('>100', between('1', '50')), 'above 50');
    assert.equal(judge('<10', between('1', '5')), null);
    assert.equal(judge('<10', between(null, '5')), null);
    assert.equal(judge('<3', between(null, '5')), null);
  });

  it('takes several ranges only where they judge alike, and none but normal ones', () => {
    const both = [...between('1', '5'), ...between('1', '8')];
    assert.equal(judge('7', both), null);
    assert.equal(judge('9', both), 'above 5');
    const critical = { ...between('1', '5')[0], type: { coding: [{ code: 'treatment' }] } };
    assert.equal(judge('9', [critical]), null);
  });

  it('is shown with the interpretation of the source that it contradicts', () => {
    const compute = (value: string, flag: 'normal' | 'high' | 'low' | 'abnormal' | 'critical high') =>
      computeInterpretation({ value, unit: null }, between('3', '8'), flag);
    assert.deepEqual(compute('9', 'normal'), { flag: 'high', text: 'above 8', contradicts: true });
    assert.deepEqual(compute('5', 'high'), { flag: 'normal', text: 'within 3 to 8', contradicts: true });
    assert.deepEqual(compute('9', 'low'), { flag: 'high', text: 'above 8', contradicts: true });
    assert.deepEqual(compute('9', 'critical high'), { flag: 'high', text: 'above 8' });
    assert.deepEqual(compute('9', 'abnormal'), { flag: 'high', text: 'above 8' });
    assert.equal(compute('5', 'normal'), null);
  });
});

describe('the flag of the source', () => {
  it('is read from codes and from words', () => {
    const flag = (text: string) => readFlag([{ text }]);
    assert.equal(readFlag([{ coding: [{ code: 'H' }] }]), 'high');
    assert.equal(readFlag([{ text: 'HI' }]), 'high');
    assert.equal(readFlag([{ text: 'LO' }]), 'low');
    assert.equal(readFlag([{ coding: [{ code: 'local-1', display: 'Low' }] }]), 'low');
    assert.equal(readFlag('HH'), 'critical high');
    assert.equal(flag('Above normal'), 'high');
    assert.equal(flag('abnormal'), 'abnormal');
    assert.equal(flag('erhöht'), 'high');
    assert.equal(flag('Resistant'), null);
    assert.equal(readFlag(undefined), null);
  });
});
