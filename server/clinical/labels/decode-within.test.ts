import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { decodeWithin } from './decode-within.ts';

describe('words that are coded within a text (case 357)', () => {
  const letter = 'The result of the HIV test was positive on the 3rd of May.\n'.repeat(3);
  const inLines = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}/g, '$&\r\n');

  const listWords = (text: string): string => {
    const { words, rewritten } = decodeWithin(text);
    return [...words, ...rewritten].join();
  };

  it('are found in a mail: base64, quoted-printable, and UTF-7', () => {
    for (const text of [
      `Content-Transfer-Encoding: base64\n\n${inLines(Buffer.from(letter))}\n--x--`,
      letter.replace(/[A-Z]/g, (each) => `=${each.charCodeAt(0).toString(16)}`),
      'The H=\nIV test was positive.',
      'The +AEgASQBW- test was positive.',
    ])
      assert.match(listWords(text), /HIV test was positive/, text);
  });

  it('are none of a note, whatever stands in it', () => {
    for (const text of ['', letter, 'x'.repeat(5000), 'a = b + c\n= 5', '5+6-1', `sum ${'0a1B'.repeat(16)}`])
      assert.doesNotMatch(listWords(text), /HIV(?! test was positive on)/);
    for (const text of [letter, 'x'.repeat(5000), `sum ${'0a1B'.repeat(16)}`])
      assert.equal(decodeWithin(text).isComplete, true);
  });

  it('are incomplete where a file is coded', () => {
    const file = Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 7919) % 251));
    assert.equal(decodeWithin(`A mail.\n\n${inLines(file)}\n`).isComplete, false);
  });

  it('are found in a signed token, compressed or not, and incomplete in an encrypted one', () => {
    const encode = (content: Buffer | string): string => Buffer.from(content).toString('base64url');
    const header = encode('{"alg":"ES256"}');
    const packed = encode('{"alg":"ES256","zip":"DEF"}');
    const signature = encode(Buffer.alloc(64, 7));
    for (const token of [
      `${header}.${encode(letter)}.${signature}`,
      `${packed}.${encode(deflateRawSync(letter))}.${signature}`,
    ]) {
      assert.match(listWords(`See ${token}.`), /HIV test was positive/);
      assert.equal(decodeWithin(`See ${token}.`).isComplete, true);
    }
    const encrypted = `${encode('{"alg":"dir","enc":"A256GCM"}')}..${signature}.${signature}.${signature}`;
    assert.equal(decodeWithin(encrypted).isComplete, false);
    assert.equal(decodeWithin(`${packed}.${encode('no deflate')}.${signature}`).isComplete, false);
  });
});
