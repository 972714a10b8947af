import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { scanMember } from '../../../../test/harness/scan-member.ts';
import { READERS, readMember } from './read-member.ts';
import type { DocumentToConvert } from '../../../../documents/converter.ts';
import { createDocumentProcessPool } from '../../../../documents/sandbox/document-process-pool.ts';
import { createDocumentReader } from './document.ts';

const FAILING = new URL('../../../../test/harness/failing-converters.ts', import.meta.url);

describe('a document that is not FHIR JSON', () => {
  const processes = createDocumentProcessPool({ modules: FAILING });
  /** For the document that never ends. */
  const hasty = createDocumentProcessPool({ modules: FAILING, limits: { convertMs: 1_000 } });
  after(() => Promise.all([processes.close(), hasty.close()]));
  const asked: DocumentToConvert[] = [];
  const reader = createDocumentReader({
    convert(document) {
      asked.push(document);
      return (String(document.bytes) === 'loop' ? hasty : processes).convert(document);
    },
    deriveDocumentId: ({ sha256, path }) => `${sha256.toString('hex').slice(0, 8)}|${path}`,
  });

  /** `kept: type`, `position type` of what was found, `path! code` of what was not. */
  async function read(name: string, content: string | Buffer): Promise<string[]> {
    const member = {
      path: name,
      open: async () => Readable.from([Buffer.from(content)], { objectMode: false }),
    };
    const lines: string[] = [];
    for await (const finding of readMember(member, await scanMember(member, [...READERS, reader]))) {
      if ('rejection' in finding) lines.push(`${finding.rejection.path}! ${finding.rejection.code}`);
      else if ('original' in finding) lines.push(`kept: ${finding.original.contentType}`);
      else if ('labeled' in finding) lines.push(`labels: ${finding.labeled.position}`);
      else lines.push(`${finding.found.position} ${finding.found.resource.resourceType}`.trim());
    }
    return lines;
  }

  it('is stored as it was uploaded, and read', async () => {
    assert.deepEqual(await read('a.txt', 'words'), ['kept: text/plain', 'DocumentReference']);
  });

  it('is read as the resources within, where it is converted into Parameters', async () => {
    assert.deepEqual(await read('a.txt', 'resource'), ['kept: text/plain', 'parameter[0] Flag']);
  });

  it('is stored where it cannot be read', async () => {
    assert.deepEqual(await read('a.txt', 'refuse'), ['kept: text/plain', 'a.txt! no_words']);
    assert.deepEqual(await read('a.txt', 'loop'), ['kept: text/plain', 'a.txt! document_too_complex']);
    assert.deepEqual(await read('a.txt', 'exit'), ['kept: text/plain', 'a.txt! document_unreadable']);
    assert.deepEqual(await read('a.csv', 'a,b'), ['kept: text/csv', 'a.csv! unsupported_kind']);
    assert.deepEqual(await read('a.xml', '<!DOCTYPE a><a/>'), [
      'kept: application/xml',
      'a.xml! doctype_refused',
    ]);
  });

  it('is recognized as a picture without a process', async () => {
    const before = asked.length;
    assert.deepEqual(await read('a.txt', Buffer.from('\xff\xd8\xff\xe0', 'latin1')), [
      'kept: image/jpeg',
      'a.txt! unsupported_kind',
    ]);
    assert.equal(asked.length, before);
  });

  it('is identified by its bytes as they were uploaded, also when they are packed', async () => {
    const packed = gzipSync('words');
    assert.deepEqual(await read('a.txt.gz', packed), ['kept: application/gzip', 'DocumentReference']);
    assert.deepEqual(asked.at(-1)?.bytes, packed);
    const [first, second, other] = await Promise.all(
      [packed, packed, Buffer.from('words')].map(async (content) => {
        await read('b.txt', content);
        return asked.findLast(({ bytes }) => bytes.equals(content))?.documentId;
      }),
    );
    assert.equal(first, second);
    assert.notEqual(first, other);
  });

  it('is left to the reader of FHIR JSON where it is FHIR', async () => {
    assert.deepEqual(await read('a.txt', '{"resourceType":"Patient","id":"1"}'), ['Patient']);
  });

  it('may have parts that cannot be read, of which the first hundred are listed', async () => {
    const lines = await read('a.txt', 'notices 150');
    assert.deepEqual(lines.slice(0, 3), ['kept: text/plain', 'Patient', 'a.txt#section[0]! odd']);
    assert.deepEqual(lines.slice(-2), ['a.txt#section[99]! odd', 'a.txt! more_rejections']);
  });

  it('adds nothing to the record that an upload of FHIR could not', async () => {
    assert.deepEqual(await read('a.txt', 'markup'), [
      'kept: text/plain',
      'section[1] Patient',
      'a.txt#section[1]! unsafe_narrative',
    ]);
  });

  it('is stored and not read when it is too large', async () => {
    const large = Buffer.alloc(64 * 1024 * 1024 + 1, 'x ');
    assert.deepEqual(await read('a.txt', large), ['kept: text/plain', 'a.txt! document_too_large']);
  });
});
