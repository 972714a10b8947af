import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listSpellings } from './spellings.ts';

describe('the spellings of a word', () => {
  const pairs = [
    ['hemolysed', 'haemolysed'],
    ['anemia', 'anaemia'],
    ['edema', 'oedema'],
    ['esophageal', 'oesophageal'],
    ['diarrhea', 'diarrhoea'],
    ['paresthesia', 'paraesthesia'],
    ['tumor', 'tumour'],
    ['behavioral', 'behavioural'],
    ['catheterization', 'catheterisation'],
    ['paralyzed', 'paralysed'],
    ['fiber', 'fibre'],
    ['labeled', 'labelled'],
    ['sulfate', 'sulphate'],
    ['pediatric ward', 'paediatric ward'],
  ] as const;
  for (const [american, british] of pairs)
    it(`are British and American: ${american}, ${british}`, () => {
      assert.ok(listSpellings(american).includes(british));
      assert.ok(listSpellings(british).includes(american));
    });

  it('are those of three languages for a general word that is no concept', () => {
    for (const word of ['blood', 'sangre', 'blut'])
      assert.deepEqual(listSpellings(word).sort(), ['blood', 'blut', 'sangre']);
  });

  it('are one where both sides write a word alike', () => {
    for (const word of [
      'laboratory',
      'hour',
      'four',
      'cough',
      'hemiplegia',
      'swollen',
      'x-ray',
      '5.4',
      'año',
    ])
      assert.deepEqual(listSpellings(word), [word]);
  });
});
