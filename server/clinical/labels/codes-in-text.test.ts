import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { classifyCodesIn } from './codes-in-text.ts';
import { createWordClassifier } from './word-classifier.ts';

describe('the codes in a text (case 389)', () => {
  for (const [text, name] of [
    ['code,value\n75622-1,negative\n', 'HIV_OR_STI'],
    ['"688-2";"positive"', 'HIV_OR_STI'],
    ['OBX|1|ST|75622-1^^LN||negative\r', 'HIV_OR_STI'],
    ['DG1|1||B20^^I10', 'HIV_OR_STI'],
    ['Assessment: F32.9, follow up in May.', 'MENTAL_HEALTH'],
    ['problem 35489007 since 2010', 'MENTAL_HEALTH'],
    ['D57.1', 'SICKLE_CELL'],
  ] as const)
    it(`have their classes: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(classifyCodesIn(text), [name]);
    });

  it('count without a point, or of three characters, where words or signs say that they are codes (case 488)', () => {
    for (const text of [
      'Dx: ICD-10-CM B20.',
      'ICD-10 code: B20..',
      'Diagnosis (B20).',
      'Diagnoses: 1. B20 2. J45.909.',
      'Codes: J45.909, I10 and B20.',
      'B20, J45.909',
      'Code [B20].',
      'diagnosis code "B20"',
      'ICD10 Z21.',
      'CIE-10 z21',
      'Diagnóstico: B20',
      'Assessment:\n- I10\n- B20\nPlan',
      'Assessment:\n1. B20: stable',
      'dx b20',
      'Dx: O987.',
      'Dx O98.7',
      'code;name\nO9871;x',
      'LOINC 688-2 ordered',
    ])
      assert.ok(classifyCodesIn(text).includes('HIV_OR_STI'), text);
    for (const text of ['ICD-10: F20.', 'Dx: F329.', 'Codes (F20, F329)', 'codes: I10, J45.909, f329'])
      assert.deepEqual([...new Set(classifyCodesIn(text))], ['MENTAL_HEALTH'], text);
  });

  it('are not seen in the names of places and filters and the numbers of orders', () => {
    for (const text of [
      'Room B20, F89 Street',
      'moved to bed (B20), J45.909 stable',
      'filter F20 replaced',
      'in B20 since noon',
      'O987',
      'F3290',
      'the F329 model',
      '{"id":"F329","name":"b20"}',
      'OBR|1||185L~F3290^ACC_NUM|X64489^Panel',
      'Discharge diagnoses were discussed in room B20.',
      'sats 2-3 and T40',
    ])
      assert.deepEqual(classifyCodesIn(text), [], text);
  });

  it('are not seen in dates, measurements, longer numbers and names', () => {
    for (const text of [
      'on 2020-02-0',
      'levels T40 and O98, 688-2 of them',
      'ABC-75622-1-9',
      '575622-1',
      'http://elsewhere.example/F32.9.html',
      'ombCategory: 2106-3: White',
      '1.35489007.2',
    ])
      assert.deepEqual(classifyCodesIn(text), [], text);
  });

  it('count in a text that is nothing else, whatever letter they begin with (case 481)', () => {
    const classifyWords = createWordClassifier();
    for (const [text, name] of [
      ['Z21', 'HIV_OR_STI'],
      [' Z21 ', 'HIV_OR_STI'],
      ['Z21.', 'HIV_OR_STI'],
      ['| Z21 |', 'HIV_OR_STI'],
      ['Codes\n Z21\n', 'HIV_OR_STI'],
      ['688-2', 'HIV_OR_STI'],
      ['86406008.', 'HIV_OR_STI'],
      ['Z33.1', 'REPRODUCTIVE_HEALTH_DATA'],
      ['z33.1', 'REPRODUCTIVE_HEALTH_DATA'],
      ['Z34.90, Z79.3', 'REPRODUCTIVE_HEALTH_DATA'],
      ['T40.1', 'SUBSTANCE_USE_OR_DRUG_ABUSE'],
      ['T40', 'SUBSTANCE_USE_OR_DRUG_ABUSE'],
      ['T39.1X2A', 'MENTAL_HEALTH'],
      ['-F32.9', 'MENTAL_HEALTH'],
      ['F32.9-Episodio', 'MENTAL_HEALTH'],
      ['dx_F32.9', 'MENTAL_HEALTH'],
      ['Z15.01', 'GENETIC_TESTING'],
    ] as const)
      assert.deepEqual([...classifyWords([text])], [name], text);
    for (const text of [
      '2026-05-01T10:00:00Z',
      '2026-05-01T10:00:00.123456+02:00',
      'T10:00Z',
      'Z',
      '2026-05',
    ])
      assert.deepEqual([...classifyWords([text])], [], text);
  });

  it('of pregnancy tests count unless the text speaks of race, which has some of them too (case 482)', () => {
    for (const text of ['2106-3', 'LOINC 2106-3; race: White', 'PID|1||2106-3\rOBX|1|ST|2106-3^hCG^LN||neg'])
      assert.deepEqual(classifyCodesIn(text), ['REPRODUCTIVE_HEALTH_DATA'], text);
    for (const text of [
      '2106-3: White',
      'Race|2106-3',
      'PID|1||2106-3^^HL70005',
      'Raza: 2110-5',
      'Ethnicity 2118-8',
    ])
      assert.deepEqual(classifyCodesIn(text), [], text);
  });

  it('with a point are not seen in what places and models are called, and are behind other signs', () => {
    for (const text of [
      'Wheelchair, Model F40.1 of the supplier',
      'model no. F40.1',
      'Modelo: F40.1',
      'Room F32.1',
      'Room #F32.1, bed F20.1',
      'filters F19, F20, F21',
    ])
      assert.deepEqual(classifyCodesIn(text), [], text);
    for (const text of ['Seen on the ward: F32.9', 'on the unit (F32.9)', 'Room 4: F32.9', 'Room B20; F32.9'])
      assert.deepEqual(classifyCodesIn(text), ['MENTAL_HEALTH'], text);
  });

  it('count in a text of numbers alone', () => {
    const classifyWords = createWordClassifier();
    for (const text of ['75622-1', '75622-1,1.2\n4548-4,5.6\n20570-8,41.1\n2345-7,99\n'])
      assert.deepEqual([...classifyWords([text])], ['HIV_OR_STI'], text);
  });

  it('case 594: are of the system that stands beside them in a tag or an object, where that is known', () => {
    const race = '2.16.840.1.113883.6.238';
    const [tag, object] = [
      (system: string) => `<value code="2106-3" codeSystem="${system}" displayName="X"/>`,
      (system: string) => JSON.stringify([{ a: {} }, { system, code: '2106-3' }]),
    ];
    for (const text of [
      tag(race),
      `<raceCode codeSystem='${race}' code='2106-3'/>`,
      object(`urn:oid:${race}`),
      object('http://terminology.hl7.org/CodeSystem/CDCREC'),
      `{"code": "2106-3", "display": "X", "system": "urn:oid:${race}"}`,
    ])
      assert.deepEqual(classifyCodesIn(text), [], text);
    for (const text of [
      tag('2.16.840.1.113883.6.1'),
      `${tag(race)}${tag('2.16.840.1.113883.6.1')}`,
      object('http://loinc.org'),
      // Whoever has a system of their own may mean LOINC by such a code; another object says nothing of it.
      object('urn:mine'),
      `[{"system":"urn:oid:${race}"},{"code":"2106-3"}]`,
      '{"code":"2106-3"}',
    ])
      assert.deepEqual(classifyCodesIn(text), ['REPRODUCTIVE_HEALTH_DATA'], text);
  });
});
