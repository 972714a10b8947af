import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAttachment } from './attachment.ts';

const NOTE = 'Patient is HIV positive.';
const read = (bytes: Buffer, contentType: string): ReturnType<typeof readAttachment> =>
  readAttachment({ contentType, data: bytes.toString('base64') });

describe('the text of an attachment', () => {
  for (const label of ['utf-8', 'latin1', 'ISO8859_1', '"US-ASCII"', "'cp1252'"])
    it(`is read where it is labelled charset=${label}`, () => {
      assert.equal(read(Buffer.from(NOTE), `text/plain; charset=${label}`)?.text, NOTE);
    });

  for (const label of ['utf-7', 'ibm037', 'x-unknown'])
    it(`is not guessed where the label is charset=${label}, which may write its letters in any other way`, () => {
      const content = read(Buffer.from('Patient is +AEgASQBW- positive.'), `text/plain; charset=${label}`);
      assert.equal(content?.text, null);
      assert.equal(content?.unreadable, 'data that is no text, 31 bytes');
    });

  it('holds no NUL, which no database text can hold: UTF-32 begins as UTF-16 does', () => {
    const utf32 = Buffer.concat([
      Buffer.from([0xff, 0xfe, 0, 0]),
      ...Array.from(NOTE, (letter) => Buffer.from([letter.charCodeAt(0), 0, 0, 0])),
    ]);
    for (const bytes of [utf32, Buffer.from(`\ufeff${NOTE}\0`, 'utf16le')]) {
      const content = read(bytes, 'text/plain');
      assert.equal(content?.text, null);
      assert.match(content?.unreadable ?? '', /^data that is no text/);
    }
  });
});
