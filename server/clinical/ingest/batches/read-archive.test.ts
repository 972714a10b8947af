import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import zlib, { gzipSync } from 'node:zlib';
import { ZipFile } from 'yazl';
import { DOCUMENT_LIMITS } from '../../../../documents/document-limits.ts';
import { craftArchive } from '../../../../test/harness/archive.ts';
import { createDocumentReader } from '../readers/document.ts';
import { READERS } from '../readers/read-member.ts';
import type { Original } from '../readers/reader.ts';
import { createArchiveReport } from './complete-batch.ts';
import { readResources, scanArchive } from './read-archive.ts';

const LARGE = 300 * 1024;

async function buildArchive(contents: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(contents)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return Buffer.concat(await Array.fromAsync(zip.outputStream as AsyncIterable<Buffer>));
}

const patient = (id: string, size = 0): string =>
  `{"resourceType":"Patient","id":"${id}","note":"${randomBytes(size / 2).toString('hex')}"}`;
const bundle = (id: string, keys: string): string =>
  `{"resourceType":"Bundle",${keys.replace('ENTRIES', `"entry":[{"resource":${patient(id, LARGE)}}]`)}}`;

/** Counts what begins to inflate, by the kind of packing. */
function countInflations(t: TestContext): { zip: number; gzip: number } {
  const counts = { zip: 0, gzip: 0 };
  for (const [name, kind] of [
    ['createInflateRaw', 'zip'],
    ['inflateRawSync', 'zip'],
    ['createGunzip', 'gzip'],
  ] as const) {
    const original = zlib[name] as (...args: unknown[]) => unknown;
    t.mock.method(zlib, name, (...args: unknown[]) => {
      counts[kind]++;
      return original(...args);
    });
  }
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return counts;
}

describe('reading an archive', () => {
  let folder = '';
  before(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'chartgate-test-'))));
  after(() => rm(folder, { recursive: true }));

  it('inflates every member once to verify it and once for each of two passes', async (t) => {
    const nested = { 'in.json': patient('nested', LARGE), 'in.txt': 'short words' };
    const contents = {
      'small.json': patient('small'),
      'large.json': patient('large', LARGE),
      'type-first.json': bundle('first', '"type":"collection",ENTRIES'),
      'type-last.json': bundle('last', 'ENTRIES,"type":"collection"'),
      'list.ndjson': `${patient('line-1', LARGE)}\n${patient('line-2')}\n`,
      'packed.json.gz': gzipSync(patient('packed', LARGE)),
      'note.txt': 'A note. '.repeat(LARGE / 8),
      'empty.json': ' '.repeat(LARGE),
      'letter.pdf': Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(LARGE)]),
      'nested.zip': await buildArchive(nested),
    };
    const file = path.join(folder, 'mixed.zip');
    await writeFile(file, await buildArchive(contents));
    const members = Object.keys(contents).length + Object.keys(nested).length;
    const documents = createDocumentReader({
      convert: async () => ({ resources: [], notices: [] }),
      deriveDocumentId: () => 'd',
    });

    const counts = countInflations(t);
    const scans = await scanArchive(file, [...READERS, documents]);
    assert.deepEqual(counts, { zip: members, gzip: 1 });
    for (const pass of [2, 3]) {
      const originals: string[] = [];
      const report = createArchiveReport();
      const onDocument = async (name: string) => void originals.push(name);
      const found = await Array.fromAsync(readResources({ file, scans }, report, { onDocument }));
      assert.deepEqual(
        found.map((each) => each.found.resource.id),
        ['small', 'large', 'first', 'last', 'line-1', 'line-2', 'packed', 'nested'],
      );
      assert.deepEqual(originals, ['note.txt', 'letter.pdf', 'nested.zip/in.txt']);
      assert.deepEqual(
        report.rejections.map(({ code }) => code),
        ['empty'],
      );
      assert.deepEqual(counts, { zip: pass * members, gzip: pass });
    }
  });
});

describe('a file that cannot be unpacked, or whose name is refused', () => {
  const locked = { name: 'locked.pdf', flags: 0x801 };

  it('is kept for the patient as it came, or with the archive around it, once', async () => {
    const inner = await buildArchive({ 'x.txt': 'x' });
    const nested = craftArchive(
      { ...locked, content: Buffer.from('a') },
      { ...locked, content: Buffer.from('b') },
    );
    const archive = craftArchive(
      { name: 'sec.zip', content: nested },
      { name: 'outer.zip', content: await buildArchive({ 'deep.zip': inner }) },
      { name: 'broken.zip', content: inner.subarray(0, 60) },
      { name: 'a/../b.txt', content: Buffer.from('A note of the visit.') },
      { name: 'C:\\c.txt', content: Buffer.from('Another one.') },
      { ...locked, content: Buffer.from('c') },
    );
    const { kept, rejections } = await readKept(archive);
    assert.deepEqual(kept, [
      ['sec.zip/sec.zip', 'application/zip', nested],
      ['outer.zip/deep.zip', 'application/zip', inner],
      ['broken.zip', 'application/zip', inner.subarray(0, 60)],
      ['a/b.txt', 'text/plain', Buffer.from('A note of the visit.')],
      ['c.txt', 'text/plain', Buffer.from('Another one.')],
      ['upload.zip', 'application/zip', archive],
    ]);
    assert.deepEqual(
      rejections.map(({ path: name, code }) => `${name} ${code}`),
      [
        'sec.zip/locked.pdf encrypted',
        'sec.zip/locked.pdf encrypted',
        'outer.zip/deep.zip nested_too_deep',
        'broken.zip damaged',
        'a/../b.txt unsafe_path',
        'C:/c.txt unsafe_path',
        'locked.pdf encrypted',
      ],
    );
    for (const { message } of rejections) assert.match(message, /kept as (?:it came|a document)/);
  });

  it('is said not to be kept where the archive is large', async () => {
    const program = Buffer.alloc(DOCUMENT_LIMITS.documentBytes);
    const { kept, rejections } = await readKept(
      Buffer.concat([program, craftArchive({ ...locked, content: Buffer.from('c') })]),
    );
    assert.deepEqual(kept, []);
    assert.match(rejections[0]!.message, /not kept, since the archive around it is too large/);
  });
});

async function writeToFolder(archive: Buffer) {
  const folder = await mkdtemp(path.join(tmpdir(), 'kept-'));
  const file = path.join(folder, 'archive.zip');
  await writeFile(file, archive);
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

async function readKept(archive: Buffer) {
  await using opened = await writeToFolder(archive);
  const { file } = opened;
  const documents = createDocumentReader({
    convert: async () => ({ resources: [], notices: [] }),
    deriveDocumentId: () => 'd',
  });
  const scans = await scanArchive(file, [...READERS, documents]);
  const kept: [string, string, Buffer][] = [];
  const report = createArchiveReport();
  const onDocument = async (name: string, original: Original): Promise<void> => {
    kept.push([name, original.contentType, await readFile(original.file)]);
  };
  await Array.fromAsync(readResources({ file, scans }, report, { onDocument }));
  return { kept, rejections: report.rejections };
}
