import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildSnippet } from './snippet.ts';

const filler = 'The weather was discussed at length. ';

describe('a snippet', () => {
  it('is all of a short text, on one line, with a colon after its heading', () => {
    assert.equal(buildSnippet('## Plan\nRest,\n  fluids.', ['rest']), 'Plan: Rest, fluids.');
  });

  it('is cut at words around the part where most of the words stand', () => {
    const text = `${filler.repeat(10)}pain. ${filler.repeat(10)}Chest pain on exertion. ${filler.repeat(10)}`;
    const cut = buildSnippet(text, ['chest', 'pain']);
    assert.match(cut, /^… .*Chest pain on exertion\..* …$/);
    assert.ok(cut.length <= 250);
  });

  it('finds other forms of a word, and signs in it', () => {
    assert.match(
      buildSnippet(`${filler.repeat(20)}He was smoking (a lot). ${filler.repeat(9)}`, ['smoked', '(a']),
      /smoking/,
    );
  });

  it('is the beginning where no word is found', () => {
    assert.match(buildSnippet(filler.repeat(20), ['xylophone']), /^The weather.* …$/);
  });

  it('survives a text without spaces', () => {
    assert.ok(buildSnippet('x'.repeat(5000), ['x']).length <= 250);
  });
});
