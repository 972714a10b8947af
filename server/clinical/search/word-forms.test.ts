import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildFormsPattern } from './word-forms.ts';

const holds = (words: string[], text: string): boolean =>
  new RegExp(`\\b(?:${buildFormsPattern(words)})\\b`, 'iu').test(text);

describe('the forms of a word', () => {
  it('are its plural, its singular and its tenses', () => {
    for (const [word, ...forms] of [
      ['medication', 'Medications', 'the medication’s name'],
      ['medications', 'medication'],
      ['therapy', 'therapies'],
      ['therapies', 'therapy'],
      ['sedated', 'sedate', 'sedates', 'sedating'],
      ['admit', 'admitted', 'admitting', 'admits'],
      ['admitted', 'admit', 'admitting'],
      ['operating', 'operate', 'operated', 'operates'],
    ] as const)
      for (const form of forms) assert.ok(holds([word], form), `${word}, ${form}`);
  });

  it('are no words of the same stem', () => {
    for (const [word, other] of [
      ['medication', 'medical'],
      ['medication', 'premedications'],
      ['operation', 'operative'],
      ['relation', 'relative'],
    ] as const)
      assert.ok(!holds([word], other), `${word}, ${other}`);
  });

  it('are not looked for of phrases and of what is no word of letters', () => {
    assert.equal(buildFormsPattern(['chest pain']), null);
    assert.equal(buildFormsPattern(['x-ray']), null);
    assert.ok(holds(['sedations', 'sédations'], 'sédation'));
  });
});
