import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConceptLine, type ConceptRow } from '../../concepts/concept.ts';
import { foldWord } from '../../concepts/split-words.ts';
import { compileVocabulary } from '../../concepts/vocabulary.ts';
import { createInSteps } from '../../../platform/kernel/made-in-steps.ts';
import { createLoosePhrasesInSteps } from './loose-phrases.ts';
import { LANGUAGES } from './question-words.ts';
import { readClassLines, WordClassLine } from './word-classes.ts';

const toRow = (kind: ConceptRow['kind'], line: object): ConceptRow => ({
  ...ConceptLine.parse({ source: 'own words', ...line }),
  kind,
});

const vocabulary = compileVocabulary([
  toRow('body-parts', { id: 'knee', name: 'knee', es: ['rodilla'], de: ['Knie'] }),
  toRow('symptoms', { id: 'knee-pain', name: 'knee pain' }),
  toRow('symptoms', { id: 'itching', name: 'itching' }),
  toRow('symptoms', { id: 'weight-loss', name: 'weight loss' }),
  toRow('conditions', { id: 'hyperglycemia', name: 'hyperglycemia', en: ['high sugar'] }),
  toRow('conditions', { id: 'kidney-failure', name: 'kidneys not working' }),
]);
const loose = createInSteps(() => createLoosePhrasesInSteps(vocabulary)).get();

const find = (text: string): string[] => [
  ...new Set(
    loose
      .find(text)
      .map(({ phrase, concepts }) => `${phrase}: ${concepts.map(({ slug }) => slug).join(' ')}`),
  ),
];

describe('loose phrases', () => {
  it('are found in any order, in other forms, and with other words between', () => {
    assert.deepEqual(find('my knee has been hurting'), ['knee has been hurting: knee-pain']);
    assert.deepEqual(find('I lost such a lot of weight'), ['lost such a lot of weight: weight-loss']);
  });

  it('are found in other languages where classes and parts of the body say all of it', () => {
    assert.deepEqual(find('me duele mucho la rodilla'), ['duele mucho la rodilla: knee-pain']);
    assert.deepEqual(find('Schmerzen im Knie'), ['Schmerzen im Knie: knee-pain']);
    assert.deepEqual(find('azúcar muy alta'), ['azúcar muy alta: hyperglycemia']);
  });

  it('are not found where a word is missing, stands too far away, or is denied otherwise than in the phrase', () => {
    assert.deepEqual(find('my knee'), []);
    assert.deepEqual(find('knee brace from the orthopedic shop opposite, later toothache pain'), []);
    assert.deepEqual(find('are my kidneys working'), []);
    assert.deepEqual(find('the kidneys were not really working'), [
      'kidneys were not really working: kidney-failure',
    ]);
  });

  it('are a single word only where its class means something by itself', () => {
    assert.deepEqual(find('it itches'), ['itches: itching']);
    assert.deepEqual(find('too high'), []);
  });
});

describe('the classes of words', () => {
  const lines = readClassLines().map((line) => WordClassLine.parse(line));

  it('have an id each, and no word twice in one language', () => {
    const ids = lines.map(({ id }) => id);
    assert.deepEqual([...new Set(ids)], ids);
    for (const language of LANGUAGES) {
      const words = lines.flatMap((line) => [...new Set(line[language].map(foldWord))]);
      assert.deepEqual(
        words.filter((word, index) => words.indexOf(word) !== index),
        [],
        language,
      );
    }
  });
});
