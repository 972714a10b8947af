import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseQuery } from './search-query.ts';

const wanted = (query: string): string[] => parseQuery(query).wanted;

describe('the terms of a query', () => {
  it('are lower case, once each, without the signs around them', () => {
    assert.deepEqual(wanted('Diabetes, diabetes (type 2)?'), ['diabetes', 'type', '2']);
    assert.deepEqual(wanted('x-ray HbA1c 5.4% O’Hara'), ['x-ray', 'hba1c', '5.4%', 'o’hara']);
  });

  it('stay together in quotation marks', () => {
    assert.deepEqual(wanted('"chest pain" “shortness of breath” cough'), [
      'chest pain',
      'shortness of breath',
      'cough',
    ]);
    assert.deepEqual(wanted('"unfinished phrase'), ['unfinished', 'phrase']);
  });

  it('may be excluded', () => {
    assert.deepEqual(parseQuery('pain -chest -"left arm" - well-known'), {
      wanted: ['pain', 'well-known'],
      unwanted: ['chest', 'left arm'],
    });
  });

  it('are none in a query of signs', () => {
    for (const query of ['', '   ', '🤒🤒', "!?&|<->():*\\'", '""', '\u0000\u202E'])
      assert.deepEqual(parseQuery(query), { wanted: [], unwanted: [] });
  });

  it('are limited in number and length', () => {
    assert.equal(wanted(Array.from({ length: 500 }, (_, index) => `w${index}`).join(' ')).length, 24);
  });
});
