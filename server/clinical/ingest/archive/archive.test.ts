import assert from 'node:assert/strict';
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { ZipFile } from 'yazl';
import { readArchiveMembers, inspectArchive, verifyArchive } from './archive.ts';
import { READERS, readMember } from '../readers/read-member.ts';
import type { Member } from './member.ts';
import { ArchiveError } from './archive-errors.ts';
import { scanArchive } from '../batches/read-archive.ts';

const MiB = 1024 * 1024;
let folder = '';
let files = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-test-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function onDisk(bytes: Buffer): Promise<string> {
  const file = join(folder, `${++files}.zip`);
  await writeFile(file, bytes);
  return file;
}

/** An ordinary archive, as a program makes it. */
async function ordinary(contents: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(contents)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return Buffer.concat(await Array.fromAsync(zip.outputStream as AsyncIterable<Buffer>));
}

/** A member whose headers say whatever the test wants them to say. */
interface Crafted {
  name: string | Buffer;
  content?: Buffer | string;
  packed?: Buffer;
  method?: number;
  flags?: number;
  size?: number;
  checksum?: number;
  unixMode?: number;
}

function header(member: Crafted, packed: Buffer, offset: number | null): Buffer {
  const name = Buffer.from(member.name);
  const content = Buffer.from(member.content ?? '');
  const central = offset !== null;
  const start = Buffer.alloc(central ? 46 : 30);
  let at = start.writeUInt32LE(central ? 0x02014b50 : 0x04034b50, 0);
  if (central) at = start.writeUInt16LE(0x031e, at);
  at = start.writeUInt16LE(20, at);
  at = start.writeUInt16LE(member.flags ?? 0x800, at);
  at = start.writeUInt16LE(member.method ?? 8, at);
  at = start.writeUInt32LE(0, at);
  at = start.writeUInt32LE(member.checksum ?? crc32(content), at);
  at = start.writeUInt32LE(packed.length, at);
  at = start.writeUInt32LE(member.size ?? content.length, at);
  start.writeUInt16LE(name.length, at);
  if (central) {
    start.writeUInt32LE(((member.unixMode ?? 0) << 16) >>> 0, 38);
    start.writeUInt32LE(offset, 42);
  }
  return Buffer.concat([start, name]);
}

function crafted(...members: Crafted[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const content = Buffer.from(member.content ?? '');
    const packed = member.packed ?? (member.method === 0 ? content : deflateRawSync(content));
    central.push(header(member, packed, offset));
    const whole = Buffer.concat([header(member, packed, null), packed]);
    local.push(whole);
    offset += whole.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

async function readContent(member: Member): Promise<string> {
  return Buffer.concat(await Array.fromAsync((await member.open()) as AsyncIterable<Buffer>)).toString();
}

/** `path: content` or `path! code`, in the archive's order. */
async function listing(bytes: Buffer): Promise<string[]> {
  const lines: string[] = [];
  for await (const item of readArchiveMembers(await onDisk(bytes))) {
    if ('rejection' in item) lines.push(`${item.rejection.path}! ${item.rejection.code}`);
    else lines.push(`${item.member.path}: ${await readContent(item.member)}`);
  }
  return lines;
}

const refusedAs = (code: string) => (error: unknown) => error instanceof ArchiveError && error.code === code;

describe('an upload is refused as a whole', () => {
  const refuses = (sentence: string, code: string, make: () => Promise<Buffer> | Buffer): void => {
    it(sentence, async () => {
      const file = await onDisk(await make());
      await assert.rejects(inspectArchive(file), refusedAs(code));
      await assert.rejects(verifyArchive(file), refusedAs(code));
    });
  };
  refuses('when it is not a zip', 'not_an_archive', () => Buffer.from('%PDF-1.7 and so on, long enough'));
  refuses('when it is empty', 'not_an_archive', () => Buffer.alloc(0));
  refuses('when its end is missing', 'truncated_archive', async () => {
    const whole = await ordinary({ 'a.json': 'x'.repeat(5000) });
    return whole.subarray(0, whole.length - 30);
  });
  refuses('when it holds more files than it says (case 323)', 'damaged_archive', async () => {
    const bytes = await ordinary({ 'a.json': '{}', 'b.json': '{}' });
    bytes.writeUInt16LE(1, bytes.length - 12);
    return bytes;
  });
  refuses('when its list of files is broken', 'damaged_archive', async () => {
    const whole = await ordinary({ 'a.json': '{}', 'b.json': '{}' });
    whole.writeUInt32LE(0xdeadbeef, whole.indexOf(Buffer.from([0x50, 0x4b, 1, 2])));
    return whole;
  });
  refuses('when it holds more than 20,000 files', 'too_many_members', () =>
    crafted(...Array.from({ length: 20_001 }, (_, n) => ({ name: `${n}`, method: 0 }))),
  );
  refuses('when it declares more than 1 GiB', 'unpacks_too_large', () =>
    crafted(...[1, 2, 3].map((n) => ({ name: `${n}`, packed: Buffer.alloc(3 * MiB), size: 400 * MiB }))),
  );
  refuses('when all that it holds expands more than 200 times', 'ratio_too_high', () =>
    crafted({ name: 'folder/' }, { name: 'folder/zeros', content: Buffer.alloc(50 * MiB) }),
  );
  refuses('when its files together expand more than 200 times, by sharing bytes', 'ratio_too_high', () =>
    crafted(...[1, 2, 3].map((n) => ({ name: `${n}`, content: Buffer.alloc(9 * MiB) }))),
  );

  it('when a nested archive brings it over 1 GiB, at the file with which it does', async () => {
    const inner = crafted(
      ...[1, 2, 3].map((n) => ({ name: `${n}`, packed: Buffer.alloc(3 * MiB), size: 400 * MiB })),
    );
    const file = await onDisk(crafted({ name: 'inner.zip', method: 0, content: inner }));
    await inspectArchive(file);
    await assert.rejects(
      verifyArchive(file),
      (error) => refusedAs('unpacks_too_large')(error) && (error as ArchiveError).path === 'inner.zip/3',
    );
  });

  it('when nested archives bring the number of files over 20,000', async () => {
    const many = crafted(...Array.from({ length: 7000 }, (_, n) => ({ name: `${n}/`, method: 0 })));
    const file = await onDisk(await ordinary({ 'a.zip': many, 'b.zip': many, 'c.zip': many }));
    await assert.rejects(
      verifyArchive(file),
      (error) => refusedAs('too_many_members')(error) && (error as ArchiveError).path === 'c.zip',
    );
  });

  it('when a nested archive alone holds more than 20,000 files', async () => {
    const many = crafted(...Array.from({ length: 20_001 }, (_, n) => ({ name: `${n}/`, method: 0 })));
    const file = await onDisk(await ordinary({ 'a.txt': 'a', 'many.zip': many }));
    await assert.rejects(
      verifyArchive(file),
      (error) => refusedAs('too_many_members')(error) && (error as ArchiveError).path === 'many.zip',
    );
  });

  it('when archives still multiply three levels down', async () => {
    const innermost = await ordinary({ 'a.txt': 'a' });
    const third = await ordinary({ '1.zip': innermost, '2.zip': innermost });
    const file = await onDisk(await ordinary({ 'x.zip': await ordinary({ 'y.zip': third }) }));
    await assert.rejects(verifyArchive(file), refusedAs('nested_too_deep'));
  });
});

describe('an archive', () => {
  it('may hold a small file of one repeated line, whatever its ratio', async () => {
    const file = await onDisk(crafted({ name: 'a', content: Buffer.alloc(9 * MiB) }));
    await inspectArchive(file);
    await verifyArchive(file);
  });

  it('is read in order, duplicates included, without folders and system files', async () => {
    const archive = crafted(
      { name: 'b/' },
      { name: 'b/2.txt', content: 'two' },
      { name: '__MACOSX/b/._2.txt', content: 'x' },
      { name: 'b/.DS_Store', content: 'x' },
      { name: 'Thumbs.db', content: 'x' },
      { name: 'a.txt', content: 'one', method: 0 },
      { name: 'a.txt', content: 'once more' },
    );
    assert.deepEqual(await listing(archive), ['b/2.txt: two', 'a.txt: one', 'a.txt: once more']);
  });

  it('is empty where it holds nothing but folders and system files, and listed where it lies in another one', async () => {
    for (const archive of [crafted(), crafted({ name: 'b/' }, { name: '__MACOSX/b/._2.txt', content: 'x' })])
      assert.deepEqual(await listing(archive), []);
    const nested = { name: 'a/in.zip', content: crafted({ name: 'b/' }) };
    assert.deepEqual(await listing(crafted(nested, { name: '1.txt', content: 'one' })), [
      'a/in.zip! empty',
      '1.txt: one',
    ]);
  });

  it('has its members rejected one by one', async () => {
    const archive = crafted(
      { name: '../up.txt' },
      { name: 'a/../../up.txt' },
      { name: '/etc/passwd' },
      { name: 'C:\\Users\\a.txt' },
      { name: '..\\up.txt' },
      { name: 'nul\0.txt' },
      { name: 'bell\u0007.txt', flags: 0 },
      { name: `${'long'.repeat(300)}.txt` },
      { name: 'link', content: '/etc/passwd', unixMode: 0o120777 },
      { name: 'pipe', unixMode: 0o010644 },
      { name: 'secret', flags: 0x801, content: 'x' },
      { name: 'modern', method: 99, content: 'x' },
      { name: 'good.txt', content: 'good', unixMode: 0o100644 },
    );
    assert.deepEqual(await listing(archive), [
      '../up.txt! unsafe_path',
      'a/../../up.txt! unsafe_path',
      '/etc/passwd! unsafe_path',
      'C:/Users/a.txt! unsafe_path',
      '../up.txt! unsafe_path',
      'nul\u{FFFD}.txt! unsafe_path',
      'bell\u{FFFD}.txt! unsafe_path',
      `${'long'.repeat(300)}.txt! unsafe_path`,
      'link! symbolic_link',
      'pipe! not_a_file',
      'secret! encrypted',
      'modern! unsupported_compression',
      'good.txt: good',
    ]);
  });

  it('is decoded with backslashes, CP437 and unflagged UTF-8 in names', async () => {
    const archive = crafted(
      { name: 'folder\\a.txt' },
      { name: Buffer.from([0x47, 0x75, 0x7a, 0x6d, 0xa0, 0x6e]), flags: 0 },
      { name: 'Guzmán', flags: 0 },
    );
    assert.deepEqual(await listing(archive), ['folder/a.txt: ', 'Guzmán: ', 'Guzmán: ']);
  });

  it('keeps its other files when one is damaged, lies about its size, or is a bomb', async () => {
    const packed = deflateRawSync('{"resourceType":"Patient"}');
    const archive = crafted(
      { name: 'checksum.json', content: '{"resourceType":"Patient"}', checksum: 1 },
      { name: 'stream.json', content: '{"resourceType":"Patient"}', packed: Buffer.alloc(20, 0xff) },
      { name: 'short.json', content: '{"resourceType":"Patient"}', packed: packed.subarray(0, 10) },
      { name: 'less.json', content: '{"resourceType":"Patient"}', size: 100 },
      { name: 'more.json', content: '{"resourceType":"Patient"}', size: 10 },
      { name: 'lie.json', content: Buffer.alloc(30 * MiB), size: 100 },
      { name: 'large.json', content: '{"resourceType":"Patient"}', size: 900 * MiB },
      { name: 'zeros.json', content: Buffer.alloc(50 * MiB) },
      { name: 'zeros.ndjson.gz', content: gzipSync(Buffer.alloc(50 * MiB)) },
      { name: 'inner.zip', content: crafted({ name: 'zeros', content: Buffer.alloc(50 * MiB) }) },
      { name: 'lie.zip', content: await ordinary({ 'a.txt': 'a' }), size: 40 },
      { name: 'good.json', content: '{"resourceType":"Patient"}' },
    );
    const file = await onDisk(archive);
    await inspectArchive(file);
    const scans = await scanArchive(file, READERS);
    const results: string[] = [];
    for await (const item of readArchiveMembers(file)) {
      if ('rejection' in item) {
        results.push(`${item.rejection.path} ${item.rejection.code}`);
        assert.equal(item.rejection.message.split('It was not kept.').length, 2, item.rejection.message);
      } else
        for await (const finding of readMember(item.member, scans.shift()!))
          results.push(`${item.member.path} ${'rejection' in finding ? finding.rejection.code : 'found'}`);
    }
    assert.deepEqual(results, [
      'checksum.json damaged',
      'stream.json damaged',
      'short.json damaged',
      'less.json size_mismatch',
      'more.json size_mismatch',
      'lie.json size_mismatch',
      'large.json expands_too_far',
      'zeros.json expands_too_far',
      'zeros.ndjson.gz expands_too_far',
      'inner.zip/zeros expands_too_far',
      'lie.zip size_mismatch',
      'good.json found',
    ]);
  });
});

describe('an archive with something before or behind it', () => {
  const contents = { 'a.txt': 'a', 'large.txt': 'x'.repeat(300_000), 'b.txt': 'b' };
  const expected = ['a.txt: a', `large.txt: ${contents['large.txt']}`, 'b.txt: b'];
  const before = Buffer.from('#!/bin/sh\nexec unzip "$0"\n'.repeat(20_000));
  const behind = Buffer.from('-----BEGIN SIGNATURE-----\n\0\0');

  for (const [name, surround] of Object.entries<(zip: Buffer) => Buffer>({
    'a program': (zip) => Buffer.concat([before, zip]),
    'a signature': (zip) => Buffer.concat([zip, behind]),
    both: (zip) => Buffer.concat([before, zip, behind]),
    'a comment': (zip) => {
      const comment = Buffer.from('made by a test');
      zip.writeUInt16LE(comment.length, zip.length - 2);
      return Buffer.concat([zip, comment, behind]);
    },
    nothing: (zip) => zip,
  }))
    it(`is read: ${name}`, async () => {
      const file = await onDisk(surround(await ordinary(contents)));
      assert.deepEqual(await inspectArchive(file), Object.keys(contents));
      await verifyArchive(file);
      assert.deepEqual(await listing(surround(await ordinary(contents))), expected);
    });

  it('is still refused where it is cut off', async () => {
    const zip = await ordinary(contents);
    const file = await onDisk(Buffer.concat([zip.subarray(0, -30), Buffer.alloc(100)]));
    await assert.rejects(inspectArchive(file), refusedAs('truncated_archive'));
  });
});

describe('an archive inside an archive', () => {
  it('is opened one level deep, whatever its name, at its position', async () => {
    const inner = await ordinary({ 'x.txt': 'x', 'deep.zip': await ordinary({ 'y.txt': 'y' }) });
    const archive = await ordinary({ 'a.txt': 'a', 'export.dat': inner, 'z.txt': 'z' });
    assert.deepEqual(await listing(archive), [
      'a.txt: a',
      'export.dat/x.txt: x',
      'export.dat/deep.zip! nested_too_deep',
      'z.txt: z',
    ]);
    await verifyArchive(await onDisk(archive));
  });

  it('is rejected alone when it is damaged', async () => {
    const inner = await ordinary({ 'x.txt': 'x'.repeat(1000) });
    const archive = await ordinary({ 'inner.zip': inner.subarray(0, 60), 'z.txt': 'z' });
    assert.deepEqual(await listing(archive), ['inner.zip! damaged', 'z.txt: z']);
    await verifyArchive(await onDisk(archive));
  });

  it('is kept whole when it is an office document', async () => {
    const docx = await ordinary({ '[Content_Types].xml': '<x/>', 'word/document.xml': '<x/>' });
    const [line] = await listing(await ordinary({ 'letter.docx': docx }));
    assert.match(line!, /^letter\.docx: PK/);
  });

  it('leaves no file and no handle behind when the reader stops early', async (t) => {
    const inner = await ordinary({ 'x.txt': 'x'.repeat(300_000), 'y.txt': 'y' });
    const file = await onDisk(await ordinary({ 'inner.zip': inner, 'z.txt': 'z' }));
    const spools = await mkdtemp(join(folder, 'spools-'));
    const { TMPDIR } = process.env;
    process.env['TMPDIR'] = spools;
    t.after(() => (TMPDIR === undefined ? delete process.env['TMPDIR'] : (process.env['TMPDIR'] = TMPDIR)));
    for await (const item of readArchiveMembers(file)) {
      assert('member' in item);
      await item.member.open();
      assert.equal((await readdir(spools)).length, 1);
      break;
    }
    while ((await readdir(spools)).length > 0 || (await openFilesUnder(folder)).length > 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

async function openFilesUnder(path: string): Promise<string[]> {
  const handles = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(handles.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(path));
}
