import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { indexNarrative } from '../narrative-index.ts';
import { parseCda } from '../parse-cda.ts';
import { getChild } from '../elements.ts';
import { describeValue, buildValue } from './observation-value.ts';

function parseValue(type: string, attributes = '', inside = '') {
  const root = parseCda(
    Buffer.from(
      `<section xmlns:v3="urn:hl7-org:v3"><value xsi:type="${type}" ${attributes}>${inside}</value></section>`,
    ),
  );
  return [getChild(root, 'value'), indexNarrative(root)] as const;
}

const describeAs = (type: string, attributes?: string, inside?: string): string | undefined =>
  describeValue(...parseValue(type, attributes, inside));

const numbers = (one: string, other: string): string =>
  `<numerator value="${one}"/><denominator value="${other}"/>`;

describe('the value of an observation', () => {
  it('is a ratio in each of its types, whatever the prefix of the type', () => {
    for (const type of ['RTO', 'RTO_PQ_PQ', 'RTO_QTY_QTY', 'RTO_MO_PQ', 'v3:RTO_PQ_PQ']) {
      assert.equal(describeAs(type, '', numbers('1', '64')), '1:64', type);
      assert.ok('valueRatio' in buildValue(...parseValue(type, '', numbers('1', '64'))), type);
    }
    assert.equal(describeAs('RTO_PQ_PQ', '', '<numerator value="1"/>'), 'numerator 1');
  });

  it('is read in every type of CDA R2 that has one', () => {
    const read: [string, string, string, string][] = [
      ['v3:PQ', 'value="4.10" unit="mg"', '', '4.10 mg'],
      ['MO', 'value="12.50" currency="USD"', '', '12.50 USD'],
      ['IVL_INT', '', '<low value="1"/><high value="3"/>', '1 to 3'],
      ['IVL_REAL', '', '<high value="0.50"/>', '<=0.50'],
      ['IVL_PQ', '', '<low value="5" unit="mg"/><width value="10" unit="mg"/>', 'from 5 mg, width 10 mg'],
      ['PPD_PQ', 'value="7" unit="mg"', '', '7 mg'],
      ['SXCM_INT', 'value="7"', '', '7'],
      ['CO', 'code="2" displayName="Moderate"', '', 'Moderate'],
      [
        'CD',
        'displayName="Fracture"',
        '<qualifier><value displayName="Left"/></qualifier>',
        'Fracture (Left)',
      ],
      ['BL', 'value="false"', '', 'no'],
      ['TS', 'value="20130311"', '', '2013-03-11'],
      ['SXCM_TS', 'value="201303"', '', '2013-03'],
      ['IVL_TS', 'value="20130311"', '', '2013-03-11'],
      ['IVL_TS', '', '<low value="2012"/><high value="2013"/>', '2012 to 2013'],
      ['IVL_TS', '', '<low value="20120101"/><width value="3" unit="d"/>', 'from 2012-01-01, width 3 d'],
      ['PIVL_TS', '', '<period value="8" unit="h"/>', 'every 8 h'],
      ['EIVL_TS', '', '<event code="AC"/><offset value="30" unit="min"/>', 'before meals, offset 30 min'],
      ['II', 'root="1.2.3" extension="A7"', '', 'A7 of 1.2.3'],
      ['TEL', 'value="tel:+1555"', '', 'tel:+1555'],
      ['AD', '', '<city>Boston</city><state>MA</state>', 'Boston MA'],
      ['PN', '', '<given>Ada</given><family>Lovelace</family>', 'Ada Lovelace'],
      ['ED', 'mediaType="text/plain" representation="B64"', 'Q2xlYXI=', 'Clear'],
      ['ED', '', '<reference value="https://example.org/scan"/>', 'reference https://example.org/scan'],
      ['PQ', 'nullFlavor="OTH"', '<translation value="2" unit="drop"/>', '2 drop'],
    ];
    for (const [type, attributes, inside, expected] of read)
      assert.equal(describeAs(type, attributes, inside), expected, `${type} ${inside}`);
  });

  it('names a picture by its kind', () => {
    const picture = describeAs('ED', 'mediaType="image/png" representation="B64"', 'iVBORw0KGgo=');
    assert.equal(picture, 'A file (image/png) inside of the document, which is not read');
  });

  it('is none where it holds nothing', () => {
    for (const [type, inside] of [
      ['II', ''],
      ['RTO_PQ_PQ', '<numerator nullFlavor="UNK"/><denominator nullFlavor="UNK"/>'],
      ['IVL_TS', '<low nullFlavor="UNK"/>'],
      ['ED', '<reference value="#nowhere"/>'],
    ])
      assert.equal(describeAs(type ?? '', 'nullFlavor="UNK"', inside), undefined, type);
  });
});
