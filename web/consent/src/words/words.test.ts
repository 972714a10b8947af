import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { en } from './en.ts';
import { es } from './es.ts';

type Said = string | ((...names: unknown[]) => string);

/** Every sentence with its way there, such as `review.groups.3`. */
function sentencesIn(words: object, way = ''): [way: string, said: Said][] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]): [string, Said][] => {
    const here = way === '' ? key : `${way}.${key}`;
    return typeof value === 'object' && value !== null ? sentencesIn(value, here) : [[here, value as Said]];
  });
}

const english = new Map(sentencesIn(en));
const spanish = new Map(sentencesIn(es));

/** As a person reads it, with marks in the place of what is put in. */
const read = (said: Said | undefined): string =>
  typeof said === 'function' ? said('⟨0⟩', '⟨1⟩', '⟨2⟩') : (said ?? '');

const marksIn = (text: string): string[] => [...new Set(text.match(/⟨\d⟩/g))].sort();

/** The same in both languages. */
const ALIKE: readonly string[] = ['data.categories.GENOMIC_DATA.name'];

describe('the words of the page', () => {
  it('are there in Spanish as in English', () => {
    assert.deepEqual([...spanish.keys()].sort(), [...english.keys()].sort());
    assert.ok(english.size > 100);
  });

  it('are translated', () => {
    const alike = [...english].filter(([way, said]) => read(said) === read(spanish.get(way)));
    assert.deepEqual(
      alike.map(([way]) => way),
      ALIKE,
    );
  });

  it('are nowhere empty, and no template is left in them', () => {
    for (const [way, said] of [...english, ...spanish]) {
      assert.notEqual(read(said).trim(), '', way);
      assert.doesNotMatch(read(said), /\$\{|undefined|\[object/, way);
    }
  });

  it('say in both languages whom and what they are about', () => {
    for (const [way, said] of english) {
      assert.deepEqual(marksIn(read(spanish.get(way))), marksIn(read(said)), way);
      assert.equal(typeof spanish.get(way), typeof said, way);
      if (typeof said === 'function') assert.equal(marksIn(read(said)).length, said.length, way);
    }
  });

  it('address people formally in Spanish', () => {
    for (const [way, said] of spanish) assert.doesNotMatch(read(said), /\b(tú|tu|tus|te|ti|contigo)\b/i, way);
  });
});
