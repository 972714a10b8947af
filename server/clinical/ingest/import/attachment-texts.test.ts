import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createTextLoader } from './attachment-texts.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { buildEntries } from '../../entries/build-entries.ts';

const RTF = Buffer.from('{\\rtf1 x}');
const PDF = Buffer.from('%PDF-1.7');
const XML = Buffer.from('<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"/>');

type Attachment = { contentType?: string; data: string };
const attached = (bytes: Buffer, contentType?: string): Attachment => ({
  ...(contentType !== undefined && { contentType }),
  data: bytes.toString('base64'),
});
const reference = (...attachments: Attachment[]): ParsedResource => ({
  resourceType: 'DocumentReference',
  id: 'd',
  content: attachments.map((attachment) => ({ attachment })),
});
const report = (...presentedForm: Attachment[]): ParsedResource => ({
  resourceType: 'DiagnosticReport',
  id: 'r',
  code: { text: 'Letter' },
  presentedForm,
});

/** The documents that were extracted, and the texts of the notes; the text of a document is its first letters in capitals. */
async function extract(
  ...resources: ParsedResource[]
): Promise<{ extracted: string[]; notes: (string | null)[] }> {
  const extracted: string[] = [];
  const textsIn = createTextLoader(async (bytes) => {
    extracted.push(bytes.toString('latin1', 0, 5));
    const text = bytes.toString('latin1', 0, 5).toUpperCase();
    return bytes[0] === 0x25 ? null : { text, isComplete: true, besides: [], patients: [] };
  });
  const rows = resources.map((resource) => ({ row: { body: JSON.stringify(resource) }, resource }));
  const texts = await textsIn(rows);
  const notes = resources.flatMap((resource) =>
    buildEntries(resource, {
      resolve: () => null,
      getDocumentText: (digest) => texts.get(digest)?.text ?? null,
    }).flatMap((entry) => (entry.kind === 'note' ? [entry.detail.text ?? entry.detail.unreadable] : [])),
  );
  return { extracted, notes };
}

describe('a document attached to a resource', () => {
  it('becomes the text of its note, whatever its label, compressed or not', async () => {
    for (const type of ['text/plain', 'application/octet-stream', undefined])
      for (const bytes of [RTF, gzipSync(RTF)]) {
        assert.deepEqual(await extract(reference(attached(bytes, type))), {
          extracted: ['{\\rtf'],
          notes: ['{\\RTF'],
        });
        assert.deepEqual((await extract(report(attached(bytes, type)))).notes, ['{\\RTF']);
      }
    assert.deepEqual((await extract(reference(attached(XML, 'text/plain')))).notes, ['<?XML']);
  });

  it('is described by kind and size where it has no readable text', async () => {
    assert.deepEqual(await extract(reference(attached(PDF, 'text/plain'))), {
      extracted: ['%PDF-'],
      notes: ['PDF, 8 bytes'],
    });
  });

  it('is extracted once, however often it is attached', async () => {
    const { extracted, notes } = await extract(
      reference(attached(RTF), attached(gzipSync(RTF))),
      report(attached(RTF), attached(PDF)),
      reference(attached(PDF)),
    );
    assert.deepEqual(extracted, ['{\\rtf', '%PDF-']);
    assert.equal(notes.filter((note) => note === '{\\RTF').length, 3);
  });

  it('is extracted wherever it stands: its words classify the resource', async () => {
    const inside = { extension: [{ url: 'urn:a', valueAttachment: attached(RTF) }] };
    for (const resource of [
      { resourceType: 'Condition', id: 'c', note: attached(RTF) },
      { resourceType: 'Binary', id: 'b', ...attached(RTF) },
      { resourceType: 'Encounter', id: 'e', contained: [{ resourceType: 'Binary', ...attached(RTF) }] },
      { resourceType: 'Observation', id: 'o', ...inside },
    ])
      assert.deepEqual((await extract(resource)).extracted, ['{\\rtf'], resource.resourceType);
  });

  it('is not extracted where it is text, an image or damaged', async () => {
    for (const bytes of [
      Buffer.from('words'),
      Buffer.from('<html><p>words</p></html>'),
      Buffer.from('\x89PNG', 'latin1'),
    ])
      assert.deepEqual((await extract(reference(attached(bytes, 'text/plain')))).extracted, []);
    assert.deepEqual((await extract(reference({ contentType: 'application/pdf', data: '§' }))).extracted, []);
  });
});
