import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { classifyResource } from './classify-resource.ts';
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

  it('are found wherever they stand: base64 behind other words, escapes, character references (case 489)', () => {
    const base64 = Buffer.from(letter.trim()).toString('base64');
    for (const text of [
      `marker ${base64}`,
      `marker:${base64}, and more`,
      `The letter: ${inLines(Buffer.from(letter))}`,
      'note {"dx":"\\u0048\\u0049\\u0056 test was positive"}',
      'The &#72;I&shy;&#x56; test was positive',
    ])
      assert.match(listWords(text), /HIV test was positive/, text);
    assert.equal(decodeWithin(`marker ${base64}`).isComplete, true);
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

describe('a resource with words in another coding (case 490)', () => {
  const encode = (content: string | Buffer): string => Buffer.from(content).toString('base64');
  const letter = encode('The patient is HIV positive and takes part in a study. '.repeat(5));
  const attachment = (contentType: string, content: string): object => ({
    content: [{ attachment: { contentType, data: encode(content) } }],
  });
  const signature = (data: string): object => ({
    signature: [{ type: [{ code: 'x' }], when: '2026-05-05T10:00:00Z', who: { display: 'x' }, data }],
  });

  it('has their class: base64 in a text or a value, data of a signature, escapes, character references', () => {
    for (const element of [
      { extension: [{ url: 'urn:x', valueString: letter }] },
      { note: [{ text: `marker ${letter}` }] },
      attachment('text/plain', `marker ${letter}`),
      attachment('application/json', '{"dx":"\\u0048\\u0049\\u0056 positive"}'),
      attachment('text/plain', 'data {"dx":"\\u0048\\u0049\\u0056 positive"}'),
      attachment('text/plain', '&#72;IV'),
      signature(encode('HIV positive')),
      { udiCarrier: [{ carrierAIDC: encode('HIV test kit') }] },
    ])
      assert.deepEqual(
        classifyResource({ resourceType: 'DocumentReference', ...element }).classes,
        ['HIV_OR_STI'],
        JSON.stringify(element),
      );
  });

  it('is read where a signature or a bar code is no text', () => {
    const noText = encode(Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 7919) % 251)));
    for (const element of [signature(noText), { udiCarrier: [{ carrierAIDC: noText }] }]) {
      const { classes, unread } = classifyResource({ resourceType: 'Provenance', ...element });
      assert.deepEqual([classes, unread], [[], []]);
    }
  });
});
