import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readClientName } from './client-name.ts';

describe('the name of a client', () => {
  it('is shown as it is, without the space around it', () => {
    for (const name of [
      'Claude',
      'Visual Studio Code',
      'Dr. Müller’s Agent (β) — 2.0',
      '健康アシスタント',
      'مساعد صحي',
      'สุขภาพดี',
      'हिन्दी',
      'Agent 🩺',
      '<script>alert(1)</script>',
      '{{name}}',
    ]) {
      assert.equal(readClientName(name), name);
      assert.equal(readClientName(` \n${name}\t`), name);
    }
  });

  it('has 1 to 200 characters', () => {
    assert.equal(readClientName('x'.repeat(200))?.length, 200);
    assert.equal(readClientName('🩺'.repeat(200))?.length, 400);
    for (const name of ['', ' ', '\n', 'x'.repeat(201), '🩺'.repeat(201), 'x'.repeat(40_000)]) {
      assert.equal(readClientName(name), null);
    }
  });

  it('has no character that is not seen, or that hides or turns others', () => {
    for (const code of [
      0x00, 0x07, 0x09, 0x0a, 0x0d, 0x1b, 0x7f, 0x85, 0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180e, 0x200b,
      0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0x206f, 0x2800,
      0x3164, 0xd800, 0xdfff, 0xe000, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xffff, 0xe0001, 0xe0041, 0xe0100,
      0xf0000, 0x10ffff, 0x0378,
    ]) {
      assert.equal(readClientName(`Cla${String.fromCodePoint(code)}ude`), null, code.toString(16));
    }
  });

  it('does not pile marks over the lines around it', () => {
    assert.equal(readClientName('Clau\u0301\u0302\u0303\u0304de'), null);
    assert.notEqual(readClientName('Việt Nam'.normalize('NFD')), null);
  });
});
