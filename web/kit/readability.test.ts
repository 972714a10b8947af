import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countSpanishSyllables, rateTexts, splitSentences } from './readability.ts';

describe('the readability of a text', () => {
  it('counts Spanish syllables as they are spoken', () => {
    const expected: [word: string, syllables: number][] = [
      ['historial', 3],
      ['aplicación', 4],
      ['día', 2],
      ['que', 1],
      ['quién', 1],
      ['guía', 2],
      ['leer', 2],
      ['y', 1],
      ['muy', 1],
      ['cuidado', 3],
      ['autoridad', 4],
      ['todavía', 4],
      ['sección', 2],
      ['área', 3],
    ];
    for (const [word, syllables] of expected) assert.equal(countSpanishSyllables(word), syllables, word);
  });

  it('follows the formulas: Flesch-Kincaid in English, Szigriszt-Pazos in Spanish', () => {
    // Ten words, two sentences, ten syllables: 0.39 * 5 + 11.8 - 15.59 is below the first grade.
    assert.deepEqual(rateTexts(['The cat sat on mats. The dog ran to me.'], 'en'), {
      score: 0,
      isPlain: true,
    });
    // Ten words, one sentence, 22 syllables: 0.39 * 10 + 11.8 * 2.2 - 15.59.
    const hard = rateTexts(['Longitudinal observational investigation of the air in this old town'], 'en');
    assert.deepEqual([hard?.score.toFixed(2), hard?.isPlain], ['14.27', false]);
    // Ten words, two sentences, 14 syllables: 206.835 - 62.3 * 1.4 - 5.
    const easy = rateTexts(['La casa es muy grande. El niño come pan hoy.'], 'es');
    assert.deepEqual([easy?.score.toFixed(2), easy?.isPlain], ['114.62', true]);
  });

  it('is not known of a few words', () => {
    assert.equal(rateTexts(['We look at sleep.'], 'en'), null);
    assert.equal(rateTexts([], 'es'), null);
    assert.equal(rateTexts([''], 'en'), null);
  });

  it('is that of all its sentences, which a mark or a line ends', () => {
    assert.deepEqual(splitSentences('We read it. Nobody calls you!\n\nAsk us: we answer'), [
      'We read it.',
      'Nobody calls you!',
      'Ask us:',
      'we answer',
    ]);
  });
});
