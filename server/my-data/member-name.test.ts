import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { distinctNames, safePath } from './member-name.ts';

describe('the name of a document in the archive', () => {
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
  ] as const) {
    it(`is ${JSON.stringify(name)} for ${JSON.stringify(given)}`, () => {
      assert.equal(safePath(given), name);
    });
  }

  it('is short enough for every file system, and keeps its ending', () => {
    for (const letter of ['x', 'ß', '漢', '👍']) {
      const name = safePath(`${letter.repeat(300)}.pdf`);
      assert.ok(Buffer.byteLength(name) <= 200 && Buffer.byteLength(name) > 190, name);
      assert.ok(name.endsWith('.pdf') && name.isWellFormed());
    }
  });

  it('is given once, without regard to case', () => {
    const distinct = distinctNames();
    assert.deepEqual(['a/b.pdf', 'A/b.pdf', 'a/b.pdf', 'a.b/c', 'a.b/c'].map(distinct), [
      'a/b.pdf',
      'A/b (2).pdf',
      'a/b (3).pdf',
      'a.b/c',
      'a.b/c (2)',
    ]);
  });
});
