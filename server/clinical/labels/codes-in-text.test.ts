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
