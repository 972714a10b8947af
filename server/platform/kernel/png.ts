import { Readable } from 'node:stream';
import { crc32, createInflate } from 'node:zlib';

export interface PngLimits {
  /** Of width and height. */
  minSide: number;
  width: number;
  height: number;
  pixels: number;
}

/**
 * The sizes that a screen can have, and how much is inflated to validate an image: 40 million pixels of four bytes are
 * 160 MB. A page that is taller than a browser's canvas comes scaled down, on a narrow phone to about a third.
 */
const SCREEN_LIMITS: PngLimits = { minSide: 100, width: 10_000, height: 40_000, pixels: 40_000_000 };

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Ancillary chunks that describe colours, and the two that Apple's encoder adds (eXIf, iDOT). Chunks of text or animation
 * are missing, since a browser's canvas writes neither.
 */
const ANCILLARY = new Set([
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'cICP',
  'sBIT',
  'bKGD',
  'pHYs',
  'tRNS',
  'eXIf',
  'iDOT',
]);
const MAX_ANCILLARY_BYTES = 64 * 1024;

interface Chunk {
  type: string;
  data: Buffer;
}

/** The header, PNG §11.2.1. */
interface Header {
  width: number;
  height: number;
  depth: number;
  colourType: number;
}

/** Bit depths of each colour type, up to 8, and its samples per pixel (PNG §11.2.1, table 12). */
const COLOUR_TYPES: ReadonlyMap<number, { depths: readonly number[]; samples: number }> = new Map([
  [0, { depths: [1, 2, 4, 8], samples: 1 }],
  [2, { depths: [8], samples: 3 }],
  [3, { depths: [1, 2, 4, 8], samples: 1 }],
  [4, { depths: [8], samples: 2 }],
  [6, { depths: [8], samples: 4 }],
]);

/** The message says why the bytes are no image. */
class InvalidImage extends Error {}

/**
 * Returns the number of pixels when the bytes are one PNG image (W3C PNG, third edition) and nothing else, or a sentence that
 * says why they are not. Inflates outside the main thread and keeps no output, so that memory stays flat whatever is sent.
 */
export async function countPngPixels(
  bytes: Buffer,
  limits: PngLimits = SCREEN_LIMITS,
): Promise<number | string> {
  try {
    const chunks = parseChunks(bytes);
    const header = parseHeader(chunks, limits);
    validateChunkOrder(chunks, header);
    await inflateRows(
      chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data),
      header,
    );
    return header.width * header.height;
  } catch (error) {
    if (error instanceof InvalidImage) return error.message;
    throw error;
  }
}

/** The chunks without which an image looks otherwise (PNG §11.2 and §11.3.1). */
const IMAGE_CHUNKS: readonly string[] = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];

/** Returns a valid PNG without what is no part of the image, such as where it was taken. */
export function stripPng(bytes: Buffer): Buffer {
  const parts: Buffer[] = [SIGNATURE];
  for (let at = SIGNATURE.length; at < bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (IMAGE_CHUNKS.includes(bytes.toString('latin1', at + 4, at + 8))) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
}

function parseChunks(bytes: Buffer): Chunk[] {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) throw new InvalidImage('must be a PNG image');
  const chunks: Chunk[] = [];
  for (let at = 8; at < bytes.length;) {
    if (at + 12 > bytes.length) throw new InvalidImage('must be a whole PNG image; it is truncated');
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) throw new InvalidImage('must be a whole PNG image; it is truncated');
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      throw new InvalidImage('must be an undamaged PNG image; a checksum is wrong');
    const type = bytes.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4) });
    at = end;
    if (type === 'IEND' && at < bytes.length) throw new InvalidImage('must hold nothing after the PNG image');
  }
  return chunks;
}

function parseHeader([first]: readonly Chunk[], limits: PngLimits): Header {
  if (first?.type !== 'IHDR' || first.data.length !== 13)
    throw new InvalidImage('must begin with the header of a PNG image');
  const [depth = 0, colourType = 0, compression, filter, interlace] = first.data.subarray(8);
  const [width, height] = [first.data.readUInt32BE(0), first.data.readUInt32BE(4)];
  const { minSide, width: maxWidth, height: maxHeight, pixels } = limits;
  if (
    width < minSide ||
    height < minSide ||
    width > maxWidth ||
    height > maxHeight ||
    width * height > pixels
  )
    throw new InvalidImage(
      `must be ${minSide} to ${maxWidth} pixels wide, ${minSide} to ${maxHeight} high and have at most ${pixels.toLocaleString('en')} of them`,
    );
  const isKnown = COLOUR_TYPES.get(colourType)?.depths.includes(depth) === true;
  if (!isKnown || compression !== 0 || filter !== 0 || interlace !== 0)
    throw new InvalidImage('must be a PNG image of at most 8 bits a sample, not interlaced');
  return { width, height, depth, colourType };
}

/** Validates the number and order of chunks (PNG §5.6); refuses unknown ones rather than skipping them. */
function validateChunkOrder(chunks: readonly Chunk[], { colourType, depth }: Header): void {
  const types = chunks.map(({ type }) => type);
  const [firstData, lastData] = [types.indexOf('IDAT'), types.lastIndexOf('IDAT')];
  const once = types.filter((type) => type !== 'IDAT');
  const isKnown = once.every((type) => ANCILLARY.has(type) || ['IHDR', 'PLTE', 'IEND'].includes(type));
  const ancillary = chunks.filter(({ type }) => ANCILLARY.has(type));
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data.length;
  const isOrdered =
    firstData > 0 &&
    types.slice(firstData, lastData + 1).every((type) => type === 'IDAT') &&
    lastData === types.length - 2 &&
    types.at(-1) === 'IEND' &&
    chunks.at(-1)?.data.length === 0;
  if (!isKnown || new Set(once).size !== once.length)
    throw new InvalidImage(
      'must hold an image alone: no text, no animation, no unknown chunks and none twice',
    );
  if (!isOrdered)
    throw new InvalidImage('must hold the chunks of a PNG image in their order, up to the last one');
  if (ancillary.some(({ data }) => data.length > MAX_ANCILLARY_BYTES))
    throw new InvalidImage(`must hold at most ${MAX_ANCILLARY_BYTES} bytes beside the image`);
  const colours = (palette ?? 0) / 3;
  const isIndexed = Number.isInteger(colours) && colours > 0 && colours <= 2 ** depth;
  if (colourType === 3 ? !isIndexed : palette !== undefined)
    throw new InvalidImage('must have a palette where its header asks for one');
}

/** Requires exactly as many bytes as the header says, and an existing filter in each row (PNG §9.2). */
async function inflateRows(parts: readonly Buffer[], header: Header): Promise<void> {
  const { width, height, depth, colourType } = header;
  const samples = COLOUR_TYPES.get(colourType)?.samples ?? 0;
  const row = 1 + Math.ceil((width * depth * samples) / 8);
  const expectedBytes = row * height;
  const chunkSize = Math.min(expectedBytes + 1, 256 * 1024);
  const inflate = Readable.from(parts).pipe(createInflate({ chunkSize }));
  let seen = 0;
  try {
    for await (const piece of inflate as AsyncIterable<Buffer>) {
      for (let at = (row - (seen % row)) % row; at < piece.length; at += row)
        if ((piece[at] ?? 0) > 4) throw wrongRows();
      seen += piece.length;
      if (seen > expectedBytes) throw wrongRows();
    }
  } catch {
    throw wrongRows();
  }
  const inputBytes = parts.reduce((sum, part) => sum + part.length, 0);
  if (seen !== expectedBytes || inflate.bytesWritten !== inputBytes) throw wrongRows();
}

const wrongRows = (): InvalidImage => new InvalidImage('must hold as much image data as its header says');
