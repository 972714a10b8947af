import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { classifyResource, type Classification } from './classify-resource.ts';

const HIV = JSON.stringify({
  resourceType: 'Observation',
  category: [{ coding: [{ code: 'laboratory' }] }],
  code: { coding: [{ system: 'http://loinc.org', code: '75622-1' }] },
});
const GLUCOSE = HIV.replace('75622-1', '2345-7');
const BUNDLE = `{"resourceType":"Bundle","type":"collection","entry":[{"resource":${HIV}}]}`;
const encode = (content: string | Buffer): string => Buffer.from(content).toString('base64');

const attach = (content: string | Buffer, contentType = 'text/plain'): Classification =>
  classifyResource({
    resourceType: 'DocumentReference',
    content: [{ attachment: { contentType, data: encode(content) } }],
  });
/** A letter within a letter. */
const letter = (content: string | Buffer): string =>
  JSON.stringify({ resourceType: 'DocumentReference', content: [{ attachment: { data: encode(content) } }] });

const isUnread = ({ unread }: Classification): boolean => unread.length === 1;

describe('FHIR in the content of a resource', () => {
  for (const [name, content] of [
    ['one resource', HIV],
    ['a list', `[${HIV}]`],
    ['a Bundle', BUNDLE],
    ['two lines', `${HIV}\n${HIV}`],
    ['one behind the other', HIV + HIV],
    ['behind other words', `Result:\n${HIV}\nEnd.`],
    ['the answer of a server', `HTTP/1.1 200 OK\r\n\r\n${HIV}`],
    ['a call of a script', `callback(${BUNDLE});`],
    ['a page', `<html><pre>${HIV.replaceAll('"', '&quot;')}</pre></html>`],
    ['the script of a page', `<html><p>Hello</p><script>var a = ${HIV};</script></html>`],
    ['quoted-printable', `Content-Transfer-Encoding: quoted-printable\n\n${HIV.replaceAll('"', '=22')}`],
    ['base64 in a mail', `Hello,\n\n${encode(HIV).replace(/.{76}/g, '$&\n')}\n`],
  ] as const)
    it(`counts with its codes and its category: ${name}`, () => {
      const classification = attach(content);
      assert.deepEqual(classification.classes, ['HIV_OR_STI']);
      assert.deepEqual(classification.nestedCategories, ['LABS']);
      assert.deepEqual(classification.unread, []);
    });

  for (const [name, content] of [
    ['cut off', `{"resourceType":"Bundle","entry":[{"resource":${HIV.slice(0, -9)}`],
    ['with one broken line', `${GLUCOSE}\n${GLUCOSE.slice(0, -5)}\n${GLUCOSE}`],
    ['as a string of JSON', JSON.stringify(HIV)],
    ['with two members of one name', `${HIV.slice(0, -1)},"code":{"text":"Glucose"}}`],
    ['with them on one of its lines', `${GLUCOSE}\n${GLUCOSE.slice(0, -1)},"code":{}}`],
    ['as YAML', 'resourceType: Observation\ncode:\n  text: x\n'],
    ['with single quotes', HIV.replaceAll('"', "'")],
    [
      'as XML without a declaration',
      '<Observation xmlns="http://hl7.org/fhir"><id value="1"/></Observation>',
    ],
    ['as XML behind other words', 'Result:\n<ClinicalDocument xmlns="urn:hl7-org:v3"/>'],
  ] as const)
    it(`is content that was not read where it is written ${name}`, () => {
      assert.ok(isUnread(attach(content)));
    });

  it('is what begins as JSON and is none, but no other text with brackets', () => {
    assert.ok(isUnread(attach('{"code": "x",')));
    for (const text of ['[Addendum] The knee is well.', 'He said {sic} "ok".', '{"a": "=22 b"}', '{}'])
      assert.deepEqual(attach(text).unread, [], text);
  });

  it('counts wherever a resource stands in it: contained, in an attachment, in a string, at any place of the outer one', () => {
    const contained = HIV.replace('{', `{"contained":[{"resourceType":"Patient","telecom":[]}],`);
    assert.deepEqual(attach(contained).nestedCategories.toSorted(), ['CONTACT_INFO', 'DEMOGRAPHICS', 'LABS']);
    for (const classification of [
      attach(letter(HIV)),
      attach(letter(letter(HIV))),
      attach(JSON.stringify({ resourceType: 'Basic', extension: [{ valueString: HIV }] })),
      classifyResource({ resourceType: 'Basic', extension: [{ valueString: `Result: ${HIV}` }] }),
      classifyResource({
        resourceType: 'Basic',
        text: { div: `<div>${HIV.replaceAll('"', '&quot;')}</div>` },
      }),
    ]) {
      assert.deepEqual(classification.classes, ['HIV_OR_STI']);
      assert.ok(classification.nestedCategories.includes('LABS'));
      assert.deepEqual(classification.unread, []);
    }
  });

  it('counts with the words of its own content', () => {
    assert.deepEqual(attach(letter('The HIV test was positive.')).classes, ['HIV_OR_STI']);
    assert.ok(isUnread(attach(letter('%PDF-1.7'))));
  });

  it('is content that was not read where it lies too deep', () => {
    let inner = letter('The knee is well.');
    for (let depth = 0; depth < 6; depth++) inner = letter(gzipSync(inner));
    assert.ok(isUnread(attach(inner)));
  });

  it('is searched in linear time', () => {
    for (const piece of [
      '{"',
      '{ ',
      '{"a":{',
      '{"a":"',
      '[{',
      'resourceType":',
      '{"resourceType":"A"}',
      '\\',
      '{}"',
    ])
      attach(`resourceType ${piece.repeat(200_000)}`);
  });
});
