import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildCcdaDocument } from '../../test/harness/ccda-document.ts';
import { DocumentError } from '../converter.ts';
import { getChildren } from './elements.ts';
import { parseCda } from './parse-cda.ts';

const code = (text: string | Buffer): string => {
  try {
    parseCda(Buffer.from(text));
    return 'read';
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return error.code;
  }
};

describe('the XML of a C-CDA document', () => {
  it('is refused with a code where it is not CDA', () => {
    assert.equal(code('<ClinicalDocument xmlns="urn:hl7-org:v3"><title>'), 'not_xml');
    assert.equal(code('<ClinicalDocument xmlns="urn:hl7-org:v3">&unknown;</ClinicalDocument>'), 'not_xml');
    assert.equal(code('<html xmlns="http://www.w3.org/1999/xhtml"/>'), 'not_cda');
    assert.equal(code('<ClinicalDocument xmlns="urn:other"/>'), 'not_cda');
    assert.equal(code(''), 'not_xml');
  });

  it('is refused with a document type, which may open other files', () => {
    const type = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
    assert.equal(
      code(`${type}<ClinicalDocument xmlns="urn:hl7-org:v3">&x;</ClinicalDocument>`),
      'doctype_refused',
    );
  });

  it('is refused where it nests deeper than any document', () => {
    const nested = (depth: number): string =>
      `<section>${'<component>'.repeat(depth)}${'</component>'.repeat(depth)}</section>`;
    assert.equal(code(nested(150)), 'read');
    assert.equal(code(nested(250)), 'nested_too_deep');
    assert.equal(code(nested(200_000)), 'nested_too_deep');
    assert.equal(
      code(`<section>${'<id root="a>b"/>'.repeat(500)}<!-- ${'<a>'.repeat(500)} --></section>`),
      'read',
    );
  });

  it('case 193: is refused with more attributes on one element than any document has, before a parser compares them', () => {
    const attributes = (count: number): string =>
      Array.from({ length: count }, (_, index) => ` a${index}="x>y=z"`).join('');
    const declarations = Array.from({ length: 300 }, (_, index) => ` xmlns:n${index}='u'`).join('');
    assert.equal(code(`<section><id${attributes(257)}/></section>`), 'too_many_attributes');
    assert.equal(code(`<section${declarations}></section>`), 'too_many_attributes');
    assert.equal(code(`<section${attributes(100_000)}`), 'too_many_attributes');
    assert.equal(code(`<section><id${attributes(250)}/><title>a = b = c</title></section>`), 'read');
  });

  it('is read in windows-1252, in UTF-16 and with a byte order mark', () => {
    const document = buildCcdaDocument({});
    assert.equal(code(Buffer.from(`\ufeff${document}`, 'utf8')), 'read');
    assert.equal(code(Buffer.from(`\ufeff${document}`, 'utf16le')), 'read');
  });

  it('gets the missing namespaces where it is a part of a document', () => {
    const section = parseCda(
      Buffer.from('<!-- <x> --><section sdtc:y="1"><title xsi:type="ST">A</title></section>'),
    );
    assert.equal(getChildren(section, 'title').length, 1);
  });

  it('is scanned in linear time with an unclosed comment', () => {
    assert.equal(code(`<section>${'<!-- '.repeat(200_000)}`), 'not_xml');
  });
});
