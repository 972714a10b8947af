import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { DecisionTerms } from '../../../contract/oauth/decision-terms.ts';
import { EVIDENCE_LIMITS, type DraftScreen } from '../../../contract/oauth/review-draft.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import {
  createPng,
  PNG_SIGNATURE,
  encodePngChunk,
  encodePngHeader,
  assemblePng,
  buildPngRows,
  buildScreenshot,
} from '../../../test/harness/evidence.ts';
import { hashTerms, validateScreenshot } from './evidence.ts';

const since = new Date('2026-03-01T12:00:00Z');
const now = new Date('2026-03-01T12:05:00Z');

const check = (screenshot: object) => validateScreenshot(screenshot as DraftScreen, { since, now });
const shot = (bytes: Buffer, more: object = {}) =>
  buildScreenshot(now, { data: bytes.toString('base64'), ...more });

const findFaults = async (screenshot: object): Promise<unknown> => {
  try {
    await check(screenshot);
    return null;
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.deepEqual([error.status, error.code], [400, 'invalid_input']);
    return error.errors;
  }
};

const HEADER = encodePngHeader(240, 240);
const DATA = encodePngChunk('IDAT', deflateSync(buildPngRows(240, 240)));
const IEND = encodePngChunk('IEND');
const GOOD = createPng();

const changed = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
};
const rowsWithFilter5 = (): Buffer => {
  const rows = buildPngRows(240, 240);
  rows[721 * 100] = 5;
  return rows;
};

/** Not one of them is an image that a browser's canvas writes. */
const HOSTILE: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  HTML: Buffer.from('<!doctype html><script>alert(1)</script>'),
  'a JPEG': Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  'a GIF': Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'),
  'a signature alone': PNG_SIGNATURE,
  'an image and HTML behind it': Buffer.concat([GOOD, Buffer.from('<script>alert(1)</script>')]),
  'an image and a byte behind it': Buffer.concat([GOOD, Buffer.alloc(1)]),
  'two images': Buffer.concat([GOOD, GOOD]),
  'HTML and an image behind it': Buffer.concat([Buffer.from('<html>'), GOOD]),
  'a cut off image': GOOD.subarray(0, GOOD.length - 20),
  'an image without its end': GOOD.subarray(0, GOOD.length - IEND.length),
  'a chunk that is longer than the file': Buffer.concat([
    PNG_SIGNATURE,
    Buffer.from('7fffffff', 'hex'),
    Buffer.from('IHDR'),
  ]),
  'a wrong checksum of the header': changed(GOOD, 8 + 8 + 13),
  'a wrong checksum of the data': changed(GOOD, 8 + HEADER.length + 20),
  'two headers': assemblePng(HEADER, HEADER, DATA),
  'a header behind the data': assemblePng(DATA, HEADER),
  'a short header': assemblePng(encodePngChunk('IHDR', Buffer.alloc(12)), DATA),
  'no data': assemblePng(HEADER),
  'data in two places': assemblePng(HEADER, DATA, encodePngChunk('pHYs', Buffer.alloc(9)), DATA),
  'an end with something in it': Buffer.concat([
    PNG_SIGNATURE,
    HEADER,
    DATA,
    encodePngChunk('IEND', Buffer.alloc(1)),
  ]),
  'two ends': assemblePng(HEADER, DATA, IEND),
  'words in it': assemblePng(
    HEADER,
    encodePngChunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>')),
    DATA,
  ),
  'compressed words in it': assemblePng(HEADER, encodePngChunk('zTXt', deflateSync(Buffer.alloc(9))), DATA),
  'an animation': assemblePng(HEADER, encodePngChunk('acTL', Buffer.alloc(8)), DATA),
  'an unknown part': assemblePng(HEADER, encodePngChunk('huGe', Buffer.alloc(8)), DATA),
  'an unknown critical part': assemblePng(HEADER, encodePngChunk('EVIL', Buffer.alloc(8)), DATA),
  'a part whose name is no letters': assemblePng(HEADER, encodePngChunk('\0\0\0\0'), DATA),
  'a part twice': assemblePng(
    HEADER,
    encodePngChunk('gAMA', Buffer.alloc(4)),
    encodePngChunk('gAMA', Buffer.alloc(4)),
    DATA,
  ),
  'a colour profile of 65 kB': assemblePng(HEADER, encodePngChunk('iCCP', randomBytes(65 * 1024)), DATA),
  'a palette that nothing asks for': assemblePng(HEADER, encodePngChunk('PLTE', Buffer.alloc(3)), DATA),
  'no palette where one is asked for': assemblePng(encodePngHeader(240, 240, [8, 3, 0, 0, 0]), DATA),
  'a palette of four bytes': assemblePng(
    encodePngHeader(240, 240, [8, 3, 0, 0, 0]),
    encodePngChunk('PLTE', Buffer.alloc(4)),
    DATA,
  ),
  'no width': assemblePng(encodePngHeader(0, 240), DATA),
  'no height': assemblePng(encodePngHeader(240, 0), DATA),
  'one pixel': createPng(1, 1),
  'a narrow image': createPng(99, 240),
  'a low image': createPng(240, 99),
  'a width beyond every screen': assemblePng(encodePngHeader(10_001, 240), DATA),
  'a height beyond every page': assemblePng(encodePngHeader(240, 40_001), DATA),
  'a width of two thousand millions': assemblePng(encodePngHeader(0x7fffffff, 240), DATA),
  'more than 40 million pixels': assemblePng(encodePngHeader(10_000, 4001), DATA),
  '16 bits a sample': assemblePng(encodePngHeader(240, 240, [16, 2, 0, 0, 0]), DATA),
  'a colour type that there is not': assemblePng(encodePngHeader(240, 240, [8, 5, 0, 0, 0]), DATA),
  interlacing: assemblePng(encodePngHeader(240, 240, [8, 2, 0, 0, 1]), DATA),
  'another compression': assemblePng(encodePngHeader(240, 240, [8, 2, 1, 0, 0]), DATA),
  'less than its header says': assemblePng(encodePngHeader(240, 241), DATA),
  'more than its header says': assemblePng(
    encodePngHeader(241, 240),
    encodePngChunk('IDAT', deflateSync(buildPngRows(241, 241))),
  ),
  'a bomb': assemblePng(HEADER, encodePngChunk('IDAT', deflateSync(Buffer.alloc(100_000_000), { level: 9 }))),
  'data that is not deflated': assemblePng(HEADER, encodePngChunk('IDAT', randomBytes(1000))),
  'data that ends in the middle': assemblePng(
    HEADER,
    encodePngChunk('IDAT', deflateSync(buildPngRows(240, 240)).subarray(0, -8)),
  ),
  'data with a wrong sum': assemblePng(
    HEADER,
    encodePngChunk('IDAT', changed(deflateSync(buildPngRows(240, 240)), 100)),
  ),
  'something behind the deflated data': assemblePng(
    HEADER,
    encodePngChunk('IDAT', Buffer.concat([deflateSync(buildPngRows(240, 240)), Buffer.from('<script>')])),
  ),
  'empty data': assemblePng(HEADER, encodePngChunk('IDAT')),
  'a filter that there is not': assemblePng(HEADER, encodePngChunk('IDAT', deflateSync(rowsWithFilter5()))),
};

describe('validateScreenshot', () => {
  it('returns an image as it came, with its hash and its size', async () => {
    const image = createPng(390, 844, (at) => at % 251);
    const { screenshotId, ...row } = await check(shot(image));
    assert.deepEqual(row, {
      screen: 'review',
      takenAt: now,
      contentType: 'image/png',
      sha256: createHash('sha256').update(image).digest(),
      bytes: image,
      size: null,
      pixels: 390 * 844,
    });
    assert.notEqual((await check(shot(image))).screenshotId, screenshotId);
  });

  for (const [what, image] of Object.entries({
    'in several pieces': assemblePng(
      HEADER,
      ...[0, 7, 100].map((from, place) =>
        encodePngChunk(
          'IDAT',
          deflateSync(buildPngRows(240, 240)).subarray(from, [7, 100, undefined][place]),
        ),
      ),
    ),
    'with what browsers say of colours': assemblePng(
      HEADER,
      encodePngChunk('gAMA', Buffer.alloc(4)),
      encodePngChunk('sRGB', Buffer.alloc(1)),
      encodePngChunk('iCCP', randomBytes(600)),
      encodePngChunk('pHYs', Buffer.alloc(9)),
      DATA,
    ),
    'with transparency': assemblePng(
      encodePngHeader(240, 240, [8, 6, 0, 0, 0]),
      encodePngChunk('IDAT', deflateSync(Buffer.alloc((1 + 4 * 240) * 240))),
    ),
    'with a palette': assemblePng(
      encodePngHeader(240, 240, [4, 3, 0, 0, 0]),
      encodePngChunk('PLTE', Buffer.alloc(48)),
      encodePngChunk('IDAT', deflateSync(Buffer.alloc((1 + 120) * 240))),
    ),
    'of a long page': createPng(390, 40_000),
    'of 40 million pixels': createPng(1000, 40_000),
  })) {
    it(`accepts an image ${what}`, async () => {
      assert.ok((await check(shot(image))).pixels >= 240 * 240);
    });
  }

  for (const [what, bytes] of Object.entries(HOSTILE)) {
    it(`refuses ${what}, and names the image without quoting it`, async () => {
      const faults = (await findFaults(shot(bytes))) as {
        path: string;
        message: string;
      }[];
      assert.deepEqual(
        faults.map(({ path }) => path),
        ['data'],
      );
      assert.match(faults[0]?.message ?? '', /^must [\w ,.:;-]+$/);
    });
  }

  it('inflates no further than the header says, so that a bomb takes no memory', async () => {
    const bomb = deflateSync(Buffer.alloc(1_000_000_000), { level: 9 });
    assert.ok(bomb.length < EVIDENCE_LIMITS.bytes);
    const before = process.memoryUsage().rss;
    await findFaults(shot(assemblePng(encodePngHeader(240, 240), encodePngChunk('IDAT', bomb))));
    assert.ok(process.memoryUsage().rss - before < 100_000_000);
  });

  it('accepts at most 2 MiB', async () => {
    const noise = (bytes: number): Buffer => {
      const height = Math.ceil(bytes / 2400);
      const rows = Buffer.alloc((1 + 2400) * height);
      for (let row = 0; row < height; row++) randomBytes(2400).copy(rows, row * 2401 + 1);
      return assemblePng(encodePngHeader(800, height), encodePngChunk('IDAT', deflateSync(rows)));
    };
    const large = noise(2_090_000);
    assert.ok(large.length < EVIDENCE_LIMITS.bytes && noise(2_200_000).length > EVIDENCE_LIMITS.bytes);
    assert.equal((await check(shot(large))).bytes.length, large.length);
    assert.deepEqual(await findFaults(shot(noise(2_200_000))), [
      { path: 'data', message: 'must have at most 2097152 bytes' },
    ]);
  });

  for (const [takenAt, kept] of [
    [since, since],
    [now, now],
    [new Date(since.getTime() + 1), new Date(since.getTime() + 1)],
    [new Date(since.getTime() - 1), since],
    [new Date(now.getTime() + 1), now],
    [new Date(0), since],
    [new Date('9999-12-31T00:00:00Z'), now],
  ] as const) {
    it(`clamps the time ${takenAt.toISOString()} of a wrong clock to ${kept.toISOString()}`, async () => {
      const row = await check(shot(GOOD, { takenAt: takenAt.toISOString() }));
      assert.deepEqual(row.takenAt, kept);
    });
  }
});

describe('hashTerms', () => {
  const hash = (terms: object): string => hashTerms(DecisionTerms.parse(terms)).toString('hex');

  it('is the same for the same choices, in whatever order and zone they are written', () => {
    assert.equal(
      hash({
        consentDataResourceScopes: ['LABS', 'VISITS'],
        duration: { until: '2026-12-31T23:00:00Z' },
      }),
      hash({
        consentDataResourceScopes: ['VISITS', 'LABS'],
        duration: { until: '2027-01-01T00:00:00+01:00' },
      }),
    );
  });

  it('differs with each of the choices and words', () => {
    const hashes = [
      {},
      { language: 'es' },
      { studySnapshotId: 'another' },
      { duration: '90-days' },
      { duration: { until: '2027-01-01T00:00:00Z' } },
      { consentDataResourceScopes: ['LABS'] },
      { consentDataSensitivityScopes: ['NORMAL'] },
      { consentDataSensitivityScopes: ['NORMAL', 'MENTAL_HEALTH'] },
      { representative: { name: 'Kim', authority: 'parent' } },
      { representative: { name: 'Kim', authority: 'guardian' } },
    ].map(hash);
    assert.equal(new Set(hashes).size, hashes.length);
  });
});
