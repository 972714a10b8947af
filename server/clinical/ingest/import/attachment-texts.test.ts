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

/** What was asked for, and what the notes then say; the words of a document are its first letters in capitals. */
async function told(...resources: ParsedResource[]): Promise<{ asked: string[]; notes: (string | null)[] }> {
  const asked: string[] = [];
  const textsIn = createTextLoader(async (bytes) => {
    asked.push(bytes.toString('latin1', 0, 5));
    return bytes[0] === 0x25 ? null : bytes.toString('latin1', 0, 5).toUpperCase();
  });
  const rows = resources.map((resource) => ({ row: { body: JSON.stringify(resource) }, resource }));
  const texts = await textsIn(rows);
  const notes = resources.flatMap((resource) =>
    buildEntries(resource, {
      resolve: () => null,
      getDocumentText: (digest) => texts.get(digest) ?? null,
    }).flatMap((entry) => (entry.kind === 'note' ? [entry.detail.text ?? entry.detail.unreadable] : [])),
  );
  return { asked, notes };
}

describe('a document inside of a resource', () => {
  it('is read for its note, whatever it is called, packed or not', async () => {
    for (const type of ['text/plain', 'application/octet-stream', undefined])
      for (const bytes of [RTF, gzipSync(RTF)]) {
        assert.deepEqual(await told(reference(attached(bytes, type))), {
          asked: ['{\\rtf'],
          notes: ['{\\RTF'],
        });
        assert.deepEqual((await told(report(attached(bytes, type)))).notes, ['{\\RTF']);
      }
    assert.deepEqual((await told(reference(attached(XML, 'text/plain')))).notes, ['<?XML']);
  });

  it('is named by its kind and size where nobody can read it', async () => {
    assert.deepEqual(await told(reference(attached(PDF, 'text/plain'))), {
      asked: ['%PDF-'],
      notes: ['PDF, 8 bytes'],
    });
  });

  it('is asked for once, however often it comes', async () => {
    const { asked, notes } = await told(
      reference(attached(RTF), attached(gzipSync(RTF))),
      report(attached(RTF), attached(PDF)),
      reference(attached(PDF)),
    );
    assert.deepEqual(asked, ['{\\rtf', '%PDF-']);
    assert.equal(notes.filter((note) => note === '{\\RTF').length, 3);
  });

  it('is not asked for where it is text, a picture or damaged', async () => {
    for (const bytes of [
      Buffer.from('words'),
      Buffer.from('<html><p>words</p></html>'),
      Buffer.from('\x89PNG', 'latin1'),
    ])
      assert.deepEqual((await told(reference(attached(bytes, 'text/plain')))).asked, []);
    assert.deepEqual((await told(reference({ contentType: 'application/pdf', data: '§' }))).asked, []);
    assert.deepEqual((await told({ resourceType: 'Condition', id: 'c', note: attached(RTF) })).asked, []);
  });
});
