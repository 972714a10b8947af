import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DocumentError } from './converter.ts';
import { recognizeDocument } from './convert-document.ts';
import { detectDocumentKind } from './detect-document-kind.ts';

const CDA = '<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Note</title></ClinicalDocument>';
const FHIR = '<Patient xmlns="http://hl7.org/fhir"><id value="1"/></Patient>';

/** The kind, or why there is none. */
function judge(content: string | Buffer, path = 'a.dat'): string | null {
  const { kind, refusal: refused } = detectDocumentKind(Buffer.from(content), path);
  return kind ?? refused;
}

describe('the kind of a document', () => {
  it('is detected by the content, whatever the name', () => {
    for (const path of ['a.xml', 'a.pdf', 'a.txt', 'a']) {
      assert.equal(judge(CDA, path), 'ccda');
      assert.equal(judge(FHIR, path), 'fhir-xml');
      assert.equal(judge('%PDF-1.7\n', path), 'pdf');
      assert.equal(judge('{\\rtf1\\ansi }', path), 'rtf');
      assert.equal(judge('<!DOCTYPE html><p>Note</p>', path), 'html');
      assert.equal(judge(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), path), 'unsupported_kind');
    }
  });

  it('is detected by the root after a byte order mark, a declaration, comments and instructions, with any prefix', () => {
    const prolog = '\ufeff<?xml version="1.0"?>\n<!-- <Patient/> > -->\n<?xml-stylesheet href="a>b.xsl"?>\n';
    const attributes = `xsi:schemaLocation='urn:hl7-org:v3 ">"'`;
    assert.equal(judge(prolog + CDA), 'ccda');
    assert.equal(judge(`<n1:ClinicalDocument ${attributes}\n xmlns:n1 = 'urn:hl7-org:v3'/>`), 'ccda');
    assert.equal(judge('<f:Patient xmlns:f="http://hl7.org/fhir"/>'), 'fhir-xml');
    for (const encoding of ['utf16le', 'utf8'] as const)
      assert.equal(judge(Buffer.from(prolog + FHIR, encoding)), 'fhir-xml');
  });

  it('is unsupported for other XML, and for a namespace that only occurs in a text', () => {
    for (const xml of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<a b="http://hl7.org/fhir"/>', '<a/>'])
      assert.equal(judge(xml, 'a.xml'), 'unsupported_kind');
    for (const root of ['<ClinicalDocument xmlns="urn:elsewhere"/>', '<ClinicalDocument/>'])
      assert.equal(judge(root), 'unsupported_kind');
  });

  it('is C-CDA for a part of a document, with its namespace and without', () => {
    const template = '<templateId root="2.16.840.1.113883.10.20.22.2.5.1"/>';
    assert.equal(judge(`<section>${template}</section>`), 'ccda');
    assert.equal(judge('<section xmlns="urn:hl7-org:v3"/>'), 'ccda');
    assert.equal(judge('<section><h1>News</h1></section>', 'a.xml'), 'unsupported_kind');
    assert.equal(judge(`<a>${template}</a>`, 'a.xml'), 'unsupported_kind');
  });

  it('is unsupported for any value of JSON', () => {
    for (const json of ['null', ' true\n', '"x"', '[1]'])
      assert.equal(judge(json, 'a.json'), 'unsupported_kind');
    assert.equal(judge('null and void'), 'text');
  });

  it('is unsupported for a signed or encrypted token, whatever its name', () => {
    const encode = (text: string): string => Buffer.from(text).toString('base64url');
    const header = encode('{"alg":"ES256"}');
    for (const path of ['receipt.jws', 'a.txt', 'a'])
      for (const token of [
        `${header}.${encode('{"title":"A study of HIV"}')}.${encode('signature')}`,
        `${header}..${encode('iv')}.${encode('words'.repeat(40_000))}.${encode('tag')}\n`,
        `${header}.${encode('words'.repeat(40))}.${encode('tag')}`.replace(/.{60}/g, '$&\r\n'),
        `${header}.${encode('{}')}.${encode('a')}\n${header}.${encode('{}')}.${encode('b')}\n`,
      ])
        assert.equal(judge(token, path), 'unsupported_kind');
    assert.equal(judge('eyJhbmbmbmb. A note.', 'a.txt'), 'text');
  });

  it('is HTML with and without its root', () => {
    for (const html of [
      '<html><body>x',
      ' <!-- x --> <HTML>',
      '<p>Dear colleague</p>',
      '<html xmlns="http://www.w3.org/1999/xhtml"/>',
      '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><html/>',
    ])
      assert.equal(judge(html), 'html', html);
    assert.equal(judge('Hello <b>you</b>', 'a.html'), 'html');
    assert.equal(judge('Hello <b>you</b>', 'a.txt'), 'text');
  });

  it('is text in every encoding, also where it begins with a bracket', () => {
    for (const encoding of ['utf8', 'utf16le', 'latin1'] as const)
      assert.equal(judge(Buffer.from('Größe 180 cm,\r\n\tGewicht 80 kg.\f', encoding)), 'text');
    assert.equal(judge('<10 mg/dl is normal', 'a.txt'), 'text');
    assert.equal(judge('a, b, c\nd, e, f\ng, h, i\nj, k, l\n', 'a.txt'), 'text');
  });

  it('is unsupported for tables, messages, logs, other JSON and binary data', () => {
    for (const [content, path] of [
      ['a,b\n1,2\n', 'a.csv'],
      ['a,b,c\n1,2,3\n4,5,6\n7,8,9\n', 'a'],
      ['MSH|^~\\&|LAB|x\rPID|1\r', 'a.txt'],
      ['\vMSH|^~\\&|LAB', 'a.hl7'],
      ['10:00 started', 'server.log'],
      ['[1, 2]', 'a'],
      [Buffer.from([1, 2, 3, 4, 5]), 'a.txt'],
      [Buffer.concat([Buffer.from('text '.repeat(100)), Buffer.from([0])]), 'a.txt'],
      [Buffer.from('PK\x03\x04', 'latin1'), 'a.txt'],
    ] as const)
      assert.equal(judge(content, path), 'unsupported_kind', path);
  });

  it('is PDF also with a prefix, but not where a text mentions it', () => {
    assert.equal(judge(`\x1b%-12345X@PJL\n%PDF-1.4\n`), 'pdf');
    assert.equal(judge(`${'x'.repeat(1100)}%PDF-1.4`, 'a.txt'), 'text');
  });
});

describe('a document type declaration', () => {
  const attacks = {
    'an external entity': '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    'a parameter entity': '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://elsewhere.example/x.dtd"> %x;]>',
    'entities of entities': '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>',
    'an external subset': '<!DOCTYPE a SYSTEM "http://elsewhere.example/x.dtd">',
    'nothing of its own': '<!DOCTYPE ClinicalDocument>',
    'a name that begins as that of HTML': '<!DOCTYPE htmlx>',
    'HTML with entities': '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    'an entity without a type': '<!ENTITY x SYSTEM "file:///etc/passwd">',
  };
  for (const [name, declaration] of Object.entries(attacks)) {
    it(`with ${name} is refused before any parser sees it, in every encoding`, () => {
      for (const before of ['', '<?xml version="1.0"?>\n', ' <!-- x -->'])
        for (const encoding of ['utf8', 'utf16le'] as const) {
          const xml = Buffer.from(`${before}${declaration}${FHIR}`, encoding);
          assert.equal(judge(xml, 'a.xml'), 'doctype_refused');
          if (encoding === 'utf16le')
            assert.equal(judge(Buffer.from(xml).swap16(), 'a.txt'), 'doctype_refused');
        }
    });
  }

  it('is found at any depth of the prolog', () => {
    const long = `<!--${' '.repeat(1_000_000)}-->`;
    assert.equal(judge(`${long}${attacks['an external entity']}${CDA}`), 'doctype_refused');
    assert.equal(judge(`${long}${CDA}`), 'ccda');
  });

  it('is searched in linear time in any prolog', () => {
    for (const piece of ['<!--', '<?a', '<!DOCTYPE a', '<a b="', '<a ', "<a b='\"' ", '<', ' ', '<p ', '<a:'])
      judge(piece.repeat(300_000), 'a.xml');
  });
});

describe('a document that is packed', () => {
  const seen = (bytes: Buffer | string): string => {
    try {
      const { kind, bytes: plain } = recognizeDocument(Buffer.from(bytes), 'a.dat');
      return `${kind} ${plain.toString().slice(0, 4)}`;
    } catch (error) {
      assert.ok(error instanceof DocumentError);
      return error.code;
    }
  };
  const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
  const pdf = Buffer.from(`%PDF-1.7\n${'x'.repeat(100)}`);

  it('is unpacked once: GZIP, base64, and base64 of GZIP', () => {
    assert.equal(seen(gzipSync(pdf)), 'pdf %PDF');
    assert.equal(seen(base64(pdf)), 'pdf %PDF');
    assert.equal(seen(base64(gzipSync(CDA))), 'ccda <Cli');
    assert.equal(seen(gzipSync(base64(pdf))), 'pdf %PDF');
    assert.equal(seen(gzipSync(gzipSync(pdf))), 'unsupported_kind');
  });

  it('is left as text where it only looks like base64', () => {
    assert.equal(seen('A'.repeat(200)), 'text AAAA');
    assert.equal(seen(`${base64(pdf)}.`), 'text JVBE');
  });

  it('is refused as damaged, or as too large where it is a bomb', () => {
    assert.equal(seen(gzipSync(pdf).subarray(0, 30)), 'damaged');
    assert.equal(seen(gzipSync(Buffer.alloc(70 * 1024 * 1024))), 'document_too_large');
  });
});
