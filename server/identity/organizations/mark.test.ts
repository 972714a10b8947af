import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deflateSync } from 'node:zlib';
import {
  assemblePng,
  buildPngRows,
  createPng,
  encodePngChunk,
  encodePngHeader,
} from '../../../test/harness/evidence.ts';
import type { OrganizationId } from '../../../contract/brands.ts';
import { buildMark } from './mark.ts';

const ID = '00000000-0000-4000-8000-000000000001' as OrganizationId;

const build = (bytes: Buffer | string) => buildMark(ID, Buffer.from(bytes).toString('base64'));

const data = (side: number): Buffer => encodePngChunk('IDAT', deflateSync(buildPngRows(side, side)));

it('a mark is stored as it is, by the hash of its bytes', async () => {
  const png = createPng(64, 64);
  const { hash, ...row } = await build(png);
  assert.deepEqual(row, { organization_id: ID, png });
  assert.match(hash, /^[0-9a-f]{64}$/);
});

it('a mark says nothing but its image: no place, no colour profile, no density', async () => {
  const [header, image] = [encodePngHeader(64, 64), data(64)];
  const bare = assemblePng(header, image);
  const described = assemblePng(
    header,
    encodePngChunk('eXIf', Buffer.from('MM*GPS 40.7,-74.0')),
    encodePngChunk('iCCP', Buffer.from('Clinic camera')),
    encodePngChunk('pHYs', Buffer.alloc(9)),
    image,
  );
  assert.deepEqual(await build(described), await build(bare));
});

it('a transparent colour stays', async () => {
  const seeThrough = assemblePng(encodePngHeader(64, 64), encodePngChunk('tRNS', Buffer.alloc(6)), data(64));
  assert.deepEqual((await build(seeThrough)).png, seeThrough);
});

it('what is no PNG of a size for a mark is refused, whatever it calls itself', async () => {
  const noise = (): number => Math.floor(Math.random() * 256);
  const refused: Record<string, Buffer | string> = {
    svg: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    html: '<!doctype html><script>alert(1)</script>',
    jpeg: Buffer.from('ffd8ffe000104a464946', 'hex'),
    nothing: '',
    'cut off': createPng(64, 64).subarray(0, 60),
    'too small': createPng(8, 8),
    'too wide': createPng(513, 16),
    'too large': createPng(300, 300, noise),
    'a page behind it': Buffer.concat([createPng(64, 64), Buffer.from('<script>')]),
    'text in it': assemblePng(encodePngHeader(64, 64), encodePngChunk('tEXt', Buffer.from('a\0b')), data(64)),
    'a bomb': assemblePng(
      encodePngHeader(64, 64),
      encodePngChunk('IDAT', deflateSync(Buffer.alloc(30_000_000))),
    ),
    animated: assemblePng(encodePngHeader(64, 64), encodePngChunk('acTL', Buffer.alloc(8)), data(64)),
  };
  for (const [name, bytes] of Object.entries(refused))
    await assert.rejects(build(bytes), { code: 'invalid_input', status: 400 }, name);
});
