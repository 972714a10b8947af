import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildObservationDetail } from './measure.ts';

const ABSENT = 'http://terminology.hl7.org/CodeSystem/data-absent-reason';

describe('why a value is missing', () => {
  const read = (dataAbsentReason: object) => buildObservationDetail({ dataAbsentReason }).absent;
  const coded = (code: string, text?: string) => ({
    coding: [{ system: ABSENT, code }],
    ...(text !== undefined && { text }),
  });

  it('is said in the words of the author, which stand beside a code', () => {
    assert.equal(read(coded('error', 'Specimen hemolyzed')), 'Specimen hemolyzed');
    assert.equal(read({ text: 'Hemolyzed' }), 'Hemolyzed');
    assert.equal(read(coded('not-performed', 'Not Performed')), 'not performed');
    assert.equal(read(coded('asked-declined')), 'asked but declined');
  });

  it('keeps what a code says of where the value lies', () => {
    assert.equal(
      read(coded('negative-infinity', 'Under the limit of detection')),
      'below measurable (Under the limit of detection)',
    );
  });
});

describe('the interpretation of the source', () => {
  const STANDARD = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation';
  const read = (...interpretation: object[]) => buildObservationDetail({ interpretation });
  const own = (code: string) => ({ system: 'urn:oid:1.2.3', code });

  it('is that of the standard’s code, also behind one of the laboratory', () => {
    const high = read({ coding: [own('2'), { system: STANDARD, code: 'H' }] });
    assert.deepEqual([high.interpretation, high.flag], ['High', 'high']);
    const low = read({ coding: [own('N'), { system: STANDARD, code: 'LL' }] });
    assert.deepEqual([low.interpretation, low.flag], ['Critical low', 'critical low']);
    const several = read({ coding: [{ system: STANDARD, code: 'R' }] }, { coding: [own('1')], text: 'Odd' });
    assert.equal(several.interpretation, 'Resistant, Odd');
    assert.equal(read({ coding: [own('2')] }).interpretation, '2');
    assert.equal(read({ coding: [{ code: 'H' }] }).interpretation, 'High');
  });
});

describe('a reference range', () => {
  const format = (...ranges: object[]) =>
    buildObservationDetail({ valueQuantity: { value: 250, unit: 'U/L' }, referenceRange: ranges });
  const bound = (value: number) => ({ value, unit: 'U/L' });
  const years = (value: number) => ({ value, unit: 'a', code: 'a' });
  const child = { low: bound(100), high: bound(400), age: { low: years(0), high: years(12) } };

  it('says for which age it is', () => {
    assert.equal(
      format(child, { low: bound(40), high: bound(130), age: { low: years(18) } }).referenceRange,
      '100 to 400 U/L (age 0 to 12 years); 40 to 130 U/L (age from 18 years)',
    );
    const months = { low: { value: 7, code: 'd' }, high: { value: 1, code: 'a' } };
    assert.equal(format({ ...child, age: months }).referenceRange, '100 to 400 U/L (age 7 days to 1 year)');
    assert.equal(
      format({ ...child, appliesTo: [{ text: 'Female' }], age: { high: years(1) } }).referenceRange,
      '100 to 400 U/L (Female, age up to 1 year)',
    );
  });

  it('judges nothing where it is for an age, which may not be the patient’s', () => {
    const { computed } = format({ ...child, high: bound(200) });
    assert.equal(computed, undefined);
    assert.equal(format({ low: bound(100), high: bound(200) }).computed?.flag, 'high');
  });
});

describe('the position of the body', () => {
  it('is read from the extensions of FHIR and of the guide for vital signs', () => {
    for (const url of [
      'http://hl7.org/fhir/StructureDefinition/observation-bodyPosition',
      'http://hl7.org/fhir/us/vitals/StructureDefinition/BodyPositionExt',
    ])
      assert.equal(
        buildObservationDetail({ extension: [{ url, valueCodeableConcept: { text: 'Supine' } }] }).position,
        'Supine',
      );
  });
});

it('shows the comment of a result in each version of FHIR', () => {
  for (const said of [{ note: [{ text: 'Fasting' }] }, { comment: 'Fasting' }, { comments: 'Fasting' }])
    assert.equal(buildObservationDetail({ valueString: 'x', ...said }).note, 'Fasting');
});
