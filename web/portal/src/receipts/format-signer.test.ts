import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatSigner } from './format-signer.ts';

it('a name on a stored receipt turns no letter of the authority beside it', () => {
  assert.equal(formatSigner('Ana Elm (power-of-attorney)'), 'Ana Elm (power-of-attorney)');
  assert.equal(formatSigner('O’Brien\u202e evil (guardian)'), 'O’Brien evil (guardian)');
  assert.equal(formatSigner('محمد\u2069 (guardian)'), '\u2068محمد\u2069 (guardian)');
});
