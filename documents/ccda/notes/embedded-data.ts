import type { Element } from 'slimdom';
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { DocumentError } from '../../converter.ts';
import { DOCUMENT_LIMITS } from '../../document-limits.ts';
import { getAttribute } from '../elements.ts';

/** CDA's CompressionAlgorithm; "Z" is compress(1), which nobody writes and Node does not read. */
const INFLATERS = new Map<string, Inflater>([
  ['DF', inflateDeflate],
  ['GZ', gunzipSync],
  ['ZL', inflateSync],
]);

type Inflater = (packed: Buffer, limits: { maxOutputLength: number }) => Buffer;

/** Decodes and unpacks an `ED` of base64; returns null where it holds text or nothing. Throws DocumentError. */
export function decodeEmbedded(data: Element): Buffer | null {
  if (getAttribute(data, 'representation') !== 'B64') return null;
  const packed = Buffer.from(data.textContent ?? '', 'base64');
  if (packed.length === 0) return null;
  const algorithm = getAttribute(data, 'compression');
  if (algorithm === undefined) return packed;
  try {
    return INFLATERS.get(algorithm)?.(packed, { maxOutputLength: DOCUMENT_LIMITS.documentBytes }) ?? packed;
  } catch {
    throw new DocumentError('damaged', 'What the document holds in packed form cannot be unpacked.');
  }
}

/** Inflates RFC 1951, as CDA requires, or RFC 1950, which many libraries call by the same name. */
function inflateDeflate(packed: Buffer, limits: { maxOutputLength: number }): Buffer {
  const hasHeader = ((packed[0] ?? 0) & 0x0f) === 8 && packed.readUInt16BE(0) % 31 === 0;
  return hasHeader ? inflateSync(packed, limits) : inflateRawSync(packed, limits);
}
