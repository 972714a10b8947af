import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toRawNumber, serializeResource } from './fhir-values.ts';
import { parseCda } from './parse-cda.ts';
import { toQuantity, toQuantityOrRange } from './quantities.ts';
import { isUcumUnit } from './units.ts';

const text = (xml: string): string => serializeResource({ read: toQuantity(parseCda(Buffer.from(xml))) });
const either = (inside: string): string =>
  serializeResource({ ...toQuantityOrRange(parseCda(Buffer.from(`<value>${inside}</value>`))) });

describe('a quantity of a CDA document', () => {
  it('keeps the digits it was written with', () => {
    assert.equal(
      text('<value value="1.00" unit="mg"/>'),
      '{"read":{"value":1.00,"unit":"mg","system":"http://unitsofmeasure.org","code":"mg"}}',
    );
    const digits = (written: string): string => serializeResource({ value: toRawNumber(written) });
    assert.equal(digits('66.899999999999991'), '{"value":66.899999999999991}');
    assert.equal(digits('1E-22'), '{"value":1E-22}');
    assert.equal(digits('-0.40'), '{"value":-0.40}');
    assert.equal(digits('+5'), '{"value":5}');
    assert.equal(digits('.5'), '{"value":0.5}');
    assert.equal(digits('5.'), '{"value":5}');
    assert.equal(digits('007'), '{"value":7}');
    for (const none of ['80-100', '1,234', '.', '', 'NaN', '0x10', '1e'])
      assert.equal(toRawNumber(none), undefined, none);
  });

  it('has a code only where its unit is one of UCUM', () => {
    assert.equal(text('<value value="180" unit="lbs"/>'), '{"read":{"value":180,"unit":"lbs"}}');
    assert.equal(
      text('<value value="7" unit="1"/>'),
      '{"read":{"value":7,"system":"http://unitsofmeasure.org","code":"1"}}',
    );
    assert.equal(text('<value value="7"/>'), '{"read":{"value":7}}');
  });

  it('is undefined where it is null-flavored', () => {
    assert.equal(toQuantity(parseCda(Buffer.from('<value nullFlavor="UNK" value="1"/>'))), undefined);
  });

  it('has a comparator where one end of an interval is open', () => {
    assert.match(either('<low value="60" unit="mL/min"/>'), /"value":60,.*"comparator":">="/);
    assert.match(either('<high value="5" inclusive="false"/>'), /"comparator":"<"/);
    assert.match(
      either('<low value="1.0"/><high value="2.0"/>'),
      /"low":\{"value":1.0\},"high":\{"value":2.0\}/,
    );
  });
});

describe('a unit', () => {
  const UNITS =
    'mm[Hg] 10*3/uL 10^3/ul mg/dL h a % kg cm kg/m2 /min [in_us] [lb_av] ml/min mmol/L meq/l mcmol [degF] Cel {tbl} mg/kg/d 10*9/L U/L [IU]/mL mL/min/{1.73_m2} m2 um3 (8.h)'.split(
      ' ',
    );
  const OTHERS =
    'mcg kg/m² lbs in tablet Puffs x10E3/uL K/uL M/uL 10X9cells/L mg/actuat uug mgAlb/gCre Container'.split(
      ' ',
    );
  it('is recognized as UCUM', () => {
    assert.deepEqual(
      UNITS.filter((unit) => !isUcumUnit(unit)),
      ['mcmol'],
    );
  });
  it('is not recognized where a vendor made it up', () => {
    assert.deepEqual(OTHERS.filter(isUcumUnit), []);
  });
});
