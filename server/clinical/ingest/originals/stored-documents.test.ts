import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatContentDisposition } from './stored-documents.ts';

/** The two names: for every client, and the exact one decoded. */
function names(path: string): [plain: string, exact: string] {
  const [, plain, exact] =
    /^attachment; filename="([^"]*)"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]*)$/.exec(
      formatContentDisposition(path),
    ) ?? [];
  assert.ok(plain !== undefined && exact !== undefined, formatContentDisposition(path));
  return [plain, decodeURIComponent(exact)];
}

describe('the file name of a downloaded document', () => {
  it('is the last part of its path', () => {
    assert.deepEqual(names('My HealtheVet/scan 1.pdf'), ['scan 1.pdf', 'scan 1.pdf']);
    assert.deepEqual(names('folder\\a.txt'), ['a.txt', 'a.txt']);
  });

  it('is sent twice where a letter is not ASCII', () => {
    assert.deepEqual(names('Guzmán/Befund Müller (1).pdf'), [
      'Befund Muller (1).pdf',
      'Befund Müller (1).pdf',
    ]);
    assert.deepEqual(names('100%41.pdf'), ['100_41.pdf', '100%41.pdf']);
    assert.deepEqual(names('診断書.pdf'), ['___.pdf', '診断書.pdf']);
  });

  it('cannot end a header, name a folder, or disguise itself', () => {
    for (const path of [
      'a"; x="b.pdf',
      'a\r\nset-cookie: x',
      '..',
      '',
      '/',
      'a/..',
      'C:evil',
      '\u202Efdp.exe',
    ])
      for (const name of names(path)) assert.doesNotMatch(name, /[\p{Cc}\u202E"/\\:]|^\./u, path);
  });

  it('has at most 150 letters and keeps its extension', () => {
    const [plain, exact] = names(`${'👍'.repeat(300)}.pdf`);
    assert.ok(exact.endsWith('.pdf') && exact.isWellFormed() && Array.from(exact).length === 150);
    assert.ok(plain.length <= 300);
  });
});
