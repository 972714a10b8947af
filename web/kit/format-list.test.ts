import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatList } from './format-list.ts';

it('a list keeps names apart that are lists themselves', () => {
  assert.equal(formatList(['Notas', 'Genes'], 'es'), 'Notas y Genes');
  assert.equal(
    formatList(['Consumo de alcohol y drogas', 'VIH y otras infecciones sexuales'], 'es'),
    'Consumo de alcohol y drogas; VIH y otras infecciones sexuales',
  );
  assert.equal(formatList(['Insurance and bills', 'Genes'], 'en'), 'Insurance and bills; Genes');
  assert.equal(formatList(['Insurance and bills'], 'en'), 'Insurance and bills');
  assert.equal(formatList(['“Hearts and minds”', '“Air”'], 'en'), '“Hearts and minds” and “Air”');
});
