import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import {
  DOCUMENT_ID,
  decodeNoteText,
  convertCcdaDocument,
  type ConvertedDocument,
} from '../../../test/harness/ccda-document.ts';

const RTF = Buffer.from('{\\rtf1\\ansi The patient slept \\b well\\b0 .\\par}');

const body = (text: string): string => `<component><nonXMLBody>${text}</nonXMLBody></component>`;
const note = ({ ofType: of }: ConvertedDocument) =>
  of('DocumentReference').find((one) => one.id !== DOCUMENT_ID);
const embedded = (bytes: Buffer, attributes = ''): string =>
  `<text mediaType="text/rtf" representation="B64"${attributes}>\n${bytes.toString('base64')}\n</text>`;

describe('a C-CDA document whose body is a file', () => {
  it('becomes a note of the text of the file', async () => {
    const read = await convertCcdaDocument({ body: body(embedded(RTF)) });
    assert.match(decodeNoteText(note(read)) ?? '', /The patient slept well\s?\./);
    assert.equal(
      (note(read)?.['type'] as { coding: { code: string }[] } | undefined)?.coding[0]?.code,
      '34133-9',
    );
    assert.deepEqual(read.notices, []);
  });

  it('is read with any compression', async () => {
    const packed: [string, Buffer][] = [
      ['DF', deflateRawSync(RTF)],
      ['DF', deflateSync(RTF)],
      ['ZL', deflateSync(RTF)],
      ['GZ', gzipSync(RTF)],
    ];
    for (const [algorithm, bytes] of packed) {
      const read = await convertCcdaDocument({ body: body(embedded(bytes, ` compression="${algorithm}"`)) });
      assert.match(decodeNoteText(note(read)) ?? '', /The patient slept/, algorithm);
    }
  });

  it('becomes a note of its text where the body is plain text', async () => {
    const read = await convertCcdaDocument({ body: body('<text mediaType="text/plain">Slept well.</text>') });
    assert.equal(decodeNoteText(note(read)), 'Slept well.');
  });

  it('gives a notice where the file is damaged, unsupported or elsewhere, and loses nothing else', async () => {
    const damaged = await convertCcdaDocument({
      body: body(embedded(Buffer.from('not deflated'), ' compression="GZ"')),
    });
    assert.deepEqual(
      damaged.notices.map(({ code }) => code),
      ['damaged'],
    );
    assert.equal(damaged.ofType('Patient').length, 1);
    const elsewhere = await convertCcdaDocument({ body: body('<text><reference value="scan.pdf"/></text>') });
    assert.deepEqual(
      elsewhere.notices.map(({ code }) => code),
      ['body_elsewhere'],
    );
    const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(100)]);
    const picture = await convertCcdaDocument({ body: body(embedded(gif)) });
    assert.deepEqual(
      picture.notices.map(({ code }) => code),
      ['embedded_not_read'],
    );
    assert.equal(decodeNoteText(note(picture)), undefined);
    assert.equal(
      (note(picture)?.['content'] as { attachment: { size: string } }[] | undefined)?.[0]?.attachment.size,
      `${gif.length}`,
    );
  });
});

const activity = (
  text: string,
): string => `<section><code code="34746-8" codeSystem="2.16.840.1.113883.6.1"/><title>Nursing</title>
  <text><list><item ID="n1"><paragraph>First.</paragraph><paragraph>Second.</paragraph></item><item ID="n2">Other.</item></list></text>
  <entry><act classCode="ACT" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.202"/>
    <code code="34109-9" codeSystem="2.16.840.1.113883.6.1"><translation code="28651-8" codeSystem="2.16.840.1.113883.6.1" displayName="Nurse Note"/></code>
    ${text}<effectiveTime value="20160908"/>
    <author><time value="20160909083215-0500"/><assignedAuthor><id root="1.7"/><assignedPerson><name>Nick</name></assignedPerson></assignedAuthor></author>
  </act></entry></section>`;

describe('a Note Activity', () => {
  it('becomes a note of the narrative it points to, with its own time and author', async () => {
    const [found, ...others] = (
      await convertCcdaDocument(activity('<text><reference value="#n1"/></text>'))
    ).ofType('DocumentReference');
    assert.deepEqual(others.map(decodeNoteText), ['- Other.']);
    assert.equal(decodeNoteText(found), 'First.\n\nSecond.');
    assert.equal(found?.['date'], '2016-09-09T08:32:15-05:00');
    assert.deepEqual(found?.['context'], { period: { start: '2016-09-08' } });
    assert.equal((found?.['type'] as { text: string } | undefined)?.text, 'Nurse Note');
    assert.equal((found?.['author'] as { display: string }[] | undefined)?.[0]?.display, 'Nick');
  });

  it('becomes a note of its RTF', async () => {
    const text = `<text mediaType="text/rtf" representation="B64">${RTF.toString('base64')}</text>`;
    const [found] = (await convertCcdaDocument(activity(text))).ofType('DocumentReference');
    assert.match(decodeNoteText(found) ?? '', /The patient slept/);
  });

  it('becomes a note of the narrative it points to where its RTF is broken', async () => {
    const text = '<text mediaType="text/rtf" representation="B64">AAAA<reference value="#n2"/></text>';
    const [found] = (await convertCcdaDocument(activity(text))).ofType('DocumentReference');
    assert.equal(decodeNoteText(found), 'Other.');
  });

  it('becomes a note besides the procedure that it is inside of', async () => {
    const inside = activity('<text>Went well.</text>').match(/<act [^]*<\/act>/)?.[0] ?? '';
    const read =
      await convertCcdaDocument(`<section><code code="47519-4"/><text/><entry><procedure classCode="PROC" moodCode="EVN">
      <code code="1" codeSystem="1.2" displayName="Excision"/><statusCode code="completed"/>
      <entryRelationship typeCode="COMP">${inside}</entryRelationship></procedure></entry></section>`);
    assert.equal(read.ofType('Procedure').length, 1);
    assert.equal(decodeNoteText(read.ofType('DocumentReference')[0]), 'Went well.');
  });
});
