import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeText } from './decode-text.ts';

const bytes = (text: string, encoding: BufferEncoding): Buffer => Buffer.from(text, encoding);

describe('the text of a document', () => {
  for (const [name, document, encoding] of [
    ['has its mark left out in UTF-8', bytes('\ufeffÄrztin', 'utf8'), 'utf-8'],
    ['is known by the mark of UTF-16 LE', bytes('\ufeffÄrztin', 'utf16le'), 'utf-16le'],
    ['is known by the mark of UTF-16 BE', bytes('\ufeffÄrztin', 'utf16le').swap16(), 'utf-16be'],
    ['is UTF-16 LE where every other byte is NUL', bytes('Ärztin', 'utf16le'), 'utf-16le'],
    ['is UTF-16 BE where the others are', bytes('Ärztin', 'utf16le').swap16(), 'utf-16be'],
    ['is UTF-8 where it can be', bytes('Ärztin', 'utf8'), 'utf-8'],
    ['is windows-1252 where it cannot', bytes('Ärztin', 'latin1'), 'windows-1252'],
  ] as const) {
    it(name, () => assert.deepEqual(decodeText(document), { text: 'Ärztin', encoding }));
  }

  it('has the quotation marks and the euro of windows-1252, which Latin-1 lacks', () => {
    assert.equal(decodeText(Buffer.from([0x93, 0x80, 0x94, 0xe9])).text, '“€”é');
  });

  it('is decoded as an XML declaration or an HTML meta says', () => {
    const xml = '<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb1</a>';
    assert.equal(decodeText(bytes(xml, 'latin1')).text.at(-5), 'ą');
    for (const meta of [
      '<meta charset=windows-1251>',
      '<meta http-equiv="x" content="text/html; charset=windows-1251">',
    ])
      assert.equal(decodeText(bytes(`<html><head>${meta}</head>\xe9`, 'latin1')).text.at(-1), 'й');
  });

  it('is not decoded as declared where that is impossible', () => {
    assert.equal(
      decodeText(bytes('<?xml version="1.0" encoding="UTF-16"?><a>ä</a>', 'utf8')).encoding,
      'utf-8',
    );
    assert.equal(
      decodeText(bytes('<?xml version="1.0" encoding="UTF-8"?><a>ä</a>', 'latin1')).encoding,
      'windows-1252',
    );
    assert.equal(
      decodeText(bytes('<?xml version="1.0" encoding="UTF-7"?><a>ä</a>', 'utf8')).encoding,
      'utf-8',
    );
  });

  it('is well-formed, whatever the bytes are', () => {
    for (const broken of [Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41]), Buffer.from([0xef, 0xbb, 0xbf, 0xff])])
      assert.ok(decodeText(broken).text.isWellFormed());
  });

  it('is decoded in linear time', () => {
    const hostile = bytes(`<?xml ${' encoding'.repeat(200_000)}<meta ${'a'.repeat(1_000_000)}`, 'latin1');
    assert.equal(decodeText(hostile).encoding, 'utf-8');
  });
});
