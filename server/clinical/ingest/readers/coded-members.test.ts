import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { scanMember } from '../../../../test/harness/scan-member.ts';
import { readMember } from './read-member.ts';
import type { Member } from '../archive/member.ts';
import type { MemberItem } from './reader.ts';

const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => utf16le(text).swap16();
const utf32le = (text: string): Buffer => {
  const points = Array.from(text, (letter) => letter.codePointAt(0)!);
  return Buffer.from(Uint32Array.from(points).buffer);
};
const utf32be = (text: string): Buffer => utf32le(text).swap32();
const base64 = (bytes: Buffer | string): Buffer => Buffer.from(Buffer.from(bytes).toString('base64'));
const inLines = (bytes: Buffer | string): Buffer =>
  Buffer.from(base64(bytes).toString().replace(/.{76}/g, '$&\r\n'));

/** Each line is encoded by itself, with its padding. */
const lineByLine = (text: string): Buffer =>
  Buffer.from(
    text
      .match(/.{1,20}/gsu)!
      .map((part) => base64(part))
      .join('\n'),
  );

const CODED: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-16, the little end first': utf16le,
  'UTF-16, the big end first': utf16be,
  'UTF-32, the little end first': utf32le,
  'UTF-32, the big end first': utf32be,
  'GZIP of UTF-16': (text) => gzipSync(utf16le(text)),
  base64,
  'base64 in lines': inLines,
  'base64 of each line by itself': lineByLine,
  'base64 for addresses': (text) => Buffer.from(Buffer.from(text).toString('base64url')),
  'base64 of GZIP': (text) => inLines(gzipSync(text)),
  'GZIP of base64': (text) => gzipSync(inLines(text)),
  'base64 of UTF-16': (text) => base64(utf16be(text)),
  'base64 in UTF-16': (text) => utf16le(`\ufeff${inLines(text).toString()}`),
  'base64 in UTF-16 of GZIP of UTF-32': (text) => utf16le(base64(gzipSync(utf32le(text))).toString()),
};

function member(path: string, ...chunks: Buffer[]): Member {
  return { path, open: async () => Readable.from(chunks, { objectMode: false }) };
}

const patient = (id: string): string => `{"resourceType":"Patient","id":"${id}"}`;
const BUNDLE = `{"resourceType":"Bundle","type":"batch","entry":[\n{"resource":${patient('José 𝄞')}},{"resource":{"resourceType":"List","id":"${'x'.repeat(70_000)}"}}]}`;

/** Nothing of it was read, so the patient has it as it came. */
const KEPT = 'kept: application/octet-stream';

/** `position id`, or `path! code`. */
const describeItem = (item: MemberItem): string => {
  if ('rejection' in item) return `${item.rejection.path}! ${item.rejection.code}`;
  if ('original' in item) return `kept: ${item.original.contentType}`;
  if ('labeled' in item) return `labels: ${item.labeled.position}`;
  return `${item.found.position} ${String(item.found.resource.id).slice(0, 12)}`.trim();
};

async function read(one: Member): Promise<string[]> {
  const items = await Array.fromAsync(readMember(one, await scanMember(one)));
  return items.map(describeItem);
}

describe('FHIR JSON that is written in another coding than UTF-8', () => {
  for (const [name, encode] of Object.entries(CODED)) {
    it(`is read from ${name}, whatever the file is called (case 385)`, async () => {
      for (const mark of ['', '\ufeff'])
        for (const path of ['a.json', 'a.ndjson', 'a.txt', 'a.dat']) {
          const bundle = await read(member(path, encode(mark + BUNDLE)));
          assert.deepEqual(bundle, ['entry[0] José 𝄞', 'entry[1] xxxxxxxxxxxx'], path);
          const lines = `${mark}${patient('1')}\r\n{"a":1}\r\n${patient('ñ')}\r\n`;
          assert.deepEqual(
            await read(member(path, encode(lines))),
            ['line 1 1', `${path}#line 2! not_fhir`, 'line 3 ñ'],
            path,
          );
        }
    });

    it(`is decoded the same wherever ${name} is split`, async () => {
      const bytes = encode(`[${patient('José 𝄞')},${patient('2')}]`);
      // Its beginning decides what it is, as the first chunk of an archive has it.
      for (let at = bytes.length - 30; at < bytes.length; at++)
        assert.deepEqual(await read(member('a.json', bytes.subarray(0, at), bytes.subarray(at))), [
          '[0] José 𝄞',
          '[1] 2',
        ]);
    });
  }

  it('loses the resource alone that breaks the rules of its coding, and keeps no other letter for it', async () => {
    const lines = `${patient('\ud800')}\n${patient('2')}\n${patient('\udc00\ud800')}\n${patient('4')}`;
    for (const encode of [utf16le, utf16be, utf32le])
      assert.deepEqual(await read(member('a.ndjson', encode(lines))), [
        'a.ndjson#line 1! not_utf8',
        'line 2 2',
        'a.ndjson#line 3! not_utf8',
        'line 4 4',
      ]);
    const beyond = Buffer.concat([utf32le('{"resourceType":"'), Buffer.from([0, 0, 0x11, 0]), utf32le('"}')]);
    assert.deepEqual(await read(member('a.json', beyond)), ['a.json! not_utf8', KEPT]);
  });

  it('is reported where it is cut off, or goes on as something else', async () => {
    const cut = utf16le(patient('1'));
    assert.deepEqual(await read(member('a.json', cut.subarray(0, -1))), ['a.json! not_json', KEPT]);
    const signed = Buffer.concat([base64(BUNDLE), Buffer.from('\n-- \nsent. by mail')]);
    assert.deepEqual(await read(member('a.txt', signed)), [
      'entry[0] José 𝄞',
      'entry[1] xxxxxxxxxxxx',
      'a.txt! not_json',
    ]);
    const packed = inLines(gzipSync(BUNDLE));
    assert.deepEqual(await read(member('a.txt', packed.subarray(0, -20))), ['a.txt! damaged']);
  });

  it('is refused where it is a bomb inside of base64', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from('[{"a":"'), Buffer.alloc(30 * 1024 * 1024, 'x')]));
    assert.deepEqual(await read(member('a.txt', base64(bomb))), ['a.txt! expands_too_far']);
  });

  it('flows: the first resource comes before the last one is read', async () => {
    let chunks = 0;
    const line = utf16le(`${patient('1')}\n`.repeat(1000));
    function* content(): Generator<Buffer> {
      for (; chunks < 1000; chunks++) yield line;
    }
    const one: Member = {
      path: 'a.ndjson',
      open: async () => Readable.from(content(), { objectMode: false }),
    };
    const scan = await scanMember(one);
    chunks = 0;
    for await (const item of readMember(one, scan)) {
      assert.equal(describeItem(item), 'line 1 1');
      break;
    }
    assert.ok(chunks < 100, `${chunks} chunks were read`);
  });
});

describe('a file that is no JSON once it is decoded', () => {
  it('is kept as it came', async () => {
    for (const bytes of [
      utf16le('Dear colleague'),
      utf16be('[Note] The knee is well.'),
      base64('%PDF-1.7 and so on'),
      base64('{\\rtf1 }'),
      Buffer.from('eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2ln'),
      base64(base64('{"resourceType":"Patient"}')),
      utf32le('No record'),
    ]) {
      const one = member('a.txt', bytes);
      const scan = await scanMember(one);
      assert.equal(scan.reader, null);
    }
  });
});
