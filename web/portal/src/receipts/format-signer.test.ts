import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RepresentativeAuthority } from '../../../../contract/oauth/decision-terms.ts';
import { en } from '../words/en.ts';
import { es } from '../words/es.ts';
import { formatSigner } from './format-signer.ts';

describe('the representative on a receipt', () => {
  it('has the authority in the words of the review, in the language of the page', () => {
    assert.equal(formatSigner('Pam P (parent)', es), 'firmado por Pam P («Soy su padre o su madre»)');
    assert.equal(formatSigner('Pam P (parent)', en), 'signed by Pam P (“I am their parent”)');
    for (const code of RepresentativeAuthority.options)
      for (const words of [en, es])
        assert.ok(formatSigner(`Pam P (${code})`, words).includes(words.authorities[code]), code);
  });

  it('keeps what the name itself holds in brackets', () => {
    assert.equal(
      formatSigner('Ana (parent) (other)', en),
      'signed by Ana (parent) (“I may by law for some other reason”)',
    );
    assert.equal(formatSigner('Ana (constructor)', en), 'signed by Ana (constructor)');
  });

  it('turns no letter of the authority beside the name', () => {
    const signedAs = (name: string): string => `signed by ${name} (“I am their legal guardian”)`;
    assert.equal(formatSigner('O’Brien\u202e evil (guardian)', en), signedAs('O’Brien evil'));
    assert.equal(formatSigner('محمد\u2069 (guardian)', en), signedAs('\u2068محمد\u2069'));
  });
});
