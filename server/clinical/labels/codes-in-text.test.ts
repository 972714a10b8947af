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

  it('count in a text of numbers alone', () => {
    const classifyWords = createWordClassifier();
    for (const text of ['75622-1', '75622-1,1.2\n4548-4,5.6\n20570-8,41.1\n2345-7,99\n'])
      assert.deepEqual([...classifyWords([text])], ['HIV_OR_STI'], text);
  });
});
