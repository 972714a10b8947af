import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertDocument } from './convert-document.ts';
import { DocumentError } from './converter.ts';
import { converters } from './converters.ts';

const PATIENT = '{"resourceType":"Patient","id":"1","name":[{"family":"Smith"}]}';
const LONG = JSON.stringify({ resourceType: 'Basic', id: 'x'.repeat(70_000) });
const escapeHtml = (text: string): string => text.replaceAll('"', '&quot;');

/** "note", or why there is none. */
async function judge(path: string, content: string | Buffer): Promise<string> {
  try {
    const { resources } = await convertDocument(converters, {
      bytes: Buffer.from(content),
      path,
      documentId: '11111111-1111-8111-8111-111111111111',
    });
    assert.equal(resources.length, 1);
    return 'note';
  } catch (error) {
    assert.ok(error instanceof DocumentError);
    return error.code;
  }
}

describe('a document of text', () => {
  for (const [name, content] of [
    [
      'the answer of a server with its headers',
      `HTTP/1.1 200 OK\r\ncontent-type: application/fhir+json\r\n\r\n${PATIENT}`,
    ],
    [
      'the same as XML',
      'HTTP/1.1 200 OK\r\n\r\n<Patient xmlns="http://hl7.org/fhir"><id value="1"/></Patient>',
    ],
    ['a call of a script', `callback(${PATIENT});`],
    ['a long string of JSON', JSON.stringify(LONG)],
    ['a string of a string of JSON', JSON.stringify(JSON.stringify(PATIENT))],
    ['YAML', 'resourceType: Patient\nid: 1\n'],
    ['a page that a browser saved of JSON', `<html><body><pre>${escapeHtml(PATIENT)}</pre></body></html>`],
    ['base64 of a call of a script', Buffer.from(`callback(${PATIENT});`).toString('base64')],
    ['a link that holds it', `data:application/fhir+json;base64,${Buffer.from(PATIENT).toString('base64')}`],
    ['a CDA below other words', 'The document:\n<ClinicalDocument xmlns="urn:hl7-org:v3"/>'],
  ] as const)
    it(`is no note where it holds FHIR or CDA: ${name}`, async () => {
      for (const path of ['a.txt', 'a.dat'])
        for (const encoding of ['utf8', 'utf16le'] as const)
          assert.equal(await judge(path, Buffer.from(`\ufeff${content}`, encoding)), 'unsupported_kind');
    });

  it('is a note where it only speaks of FHIR', async () => {
    for (const text of [
      'The resourceType was wrong in their export, see http://hl7.org/fhir.',
      'Patient: {"smoker"} [sic]',
    ])
      assert.equal(await judge('a.txt', text), 'note');
  });

  it('is read from base64, in any kind of Unicode', async () => {
    const text = 'Dear colleague, José Muñoz was seen today; the knee is well again.';
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`, 'utf16le')]) {
      const { resources } = await convertDocument(converters, {
        bytes: Buffer.from(bytes.toString('base64')),
        path: 'a.txt',
        documentId: '11111111-1111-8111-8111-111111111111',
      });
      const { content } = JSON.parse(resources[0]!.text) as { content: { attachment: { data: string } }[] };
      assert.equal(Buffer.from(content[0]!.attachment.data, 'base64').toString(), text);
    }
  });
});
