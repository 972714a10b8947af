import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createNameDeduplicator, sanitizePath } from './zip-entry-name.ts';

describe('the path of a document in the archive', () => {
  for (const [given, name] of [
    ['letters/2020/Ärztin.pdf', 'letters/2020/Ärztin.pdf'],
    ['../../etc/passwd', 'etc/passwd'],
    ['/etc/passwd', 'etc/passwd'],
    ['C:\\scans\\a.pdf', 'C_/scans/a.pdf'],
    ['a//./b', 'a/b'],
    ['what?<is>:"this"|*.txt', 'what__is___this___.txt'],
    ['ends with a dot. ', 'ends with a dot_'],
    ['line\nbreak\u0000', 'line_break_'],
    ['..', 'document'],
    ['', 'document'],
    ['aux/NUL.docx/Com1', 'aux_/NUL_.docx/Com1_'],
    ['console.txt', 'console.txt'],
    ['scan\u202Efdp.exe', 'scan_fdp.exe'],
    ['\uFEFFa\u200B\u2028b', '_a__b'],
  ] as const) {
    it(`becomes ${JSON.stringify(name)} for ${JSON.stringify(given)}`, () => {
      assert.equal(sanitizePath(given), name);
    });
  }

  it('fits every file system, and keeps its extension', () => {
    for (const letter of ['x', 'ß', '漢', '👍']) {
      const name = sanitizePath(`${letter.repeat(300)}.pdf`);
      assert.ok(Buffer.byteLength(name) <= 200 && Buffer.byteLength(name) > 190, name);
      assert.ok(name.endsWith('.pdf') && name.isWellFormed());
    }
  });

  it('fits every archive, and keeps the folders nearest to the document', () => {
    const name = sanitizePath(`${'a/'.repeat(32_000)}letters/Ärztin.pdf`);
    assert.ok(Buffer.byteLength(name) <= 1000 && Buffer.byteLength(name) > 990, name);
    assert.ok(name.endsWith('/a/letters/Ärztin.pdf'));
  });

  it('is unique also where two names differ only in the encoding of an accent', () => {
    const distinct = createNameDeduplicator();
    assert.deepEqual(['caf\u00E9', 'cafe\u0301'].map(distinct), ['caf\u00E9', 'cafe\u0301 (2)']);
    assert.deepEqual(['b (2)', 'b', 'b', 'b (2)'].map(distinct), ['b (2)', 'b', 'b (3)', 'b (2) (2)']);
  });

  it('is in no folder that has the name of a document, which no system unpacks', () => {
    const distinct = createNameDeduplicator();
    assert.deepEqual(['a', 'a/b.txt', 'A/c/d', 'a/b.txt', 'e/f', 'E', 'e/f/g'].map(distinct), [
      'a',
      'a (2)/b.txt',
      'A (2)/c/d',
      'a (2)/b (2).txt',
      'e/f',
      'E (2)',
      'e/f (2)/g',
    ]);
    const scans = createNameDeduplicator();
    assert.deepEqual(['s (2)', 's', 's/1', 's (2)/1'].map(scans), ['s (2)', 's', 's (3)/1', 's (2) (2)/1']);
  });

  it('is found in time linear to the number of documents', (test) => {
    const distinct = createNameDeduplicator();
    const folded = test.mock.method(String.prototype, 'normalize');
    for (let count = 0; count < 1000; count++) distinct('one name.pdf');
    assert.ok(folded.mock.callCount() < 10_000, `${folded.mock.callCount()}`);
    assert.equal(distinct('one name.pdf'), 'one name (1001).pdf');
  });

  it('is unique without regard to case', () => {
    const distinct = createNameDeduplicator();
    assert.deepEqual(['a/b.pdf', 'A/b.pdf', 'a/b.pdf', 'a.b/c', 'a.b/c'].map(distinct), [
      'a/b.pdf',
      'A/b (2).pdf',
      'a/b (3).pdf',
      'a.b/c',
      'a.b/c (2)',
    ]);
  });
});
