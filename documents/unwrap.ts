import { gunzipSync } from 'node:zlib';
import { DocumentError } from './converter.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { isText } from './detect-document-kind.ts';
import { detectMediaType } from './magic-bytes.ts';
import { detectEncoding } from './text/decode-text.ts';

/**
 * Unpacks GZIP, base64, or both, each once: bytes that were packed for the wire are often saved so, whatever the name of
 * the file. Throws DocumentError.
 */
export function unwrap(bytes: Buffer): Buffer {
  const plain = gunzip(bytes);
  const decoded = decodeBase64(plain);
  if (decoded === null) return plain;
  return plain === bytes ? gunzip(decoded) : decoded;
}

function gunzip(bytes: Buffer): Buffer {
  if (detectMediaType(bytes) !== 'application/gzip') return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: DOCUMENT_LIMITS.documentBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE')
      throw new DocumentError('damaged', 'The file is damaged: it cannot be unpacked.');
    throw new DocumentError('document_too_large', 'The document unpacks to more than 64 MiB.');
  }
}

/** The start of an XML document, decoded. */
const XML_START = /^(?:\xef\xbb\xbf)?\s{0,100}<(?:\?xml\s|[A-Za-z:]{1,40}[\s>])/;

/** Returns null for what is not base64, or base64 of no document: a word of 64 letters is base64, too. */
function decodeBase64(bytes: Buffer): Buffer | null {
  const start = toLatin1(bytes.subarray(0, 8192));
  if (start.length < 64 || !isBase64(start.subarray(0, 64))) return null;
  const head = Buffer.from(start.toString('latin1', 0, 4096), 'base64');
  if (!isDocument(head)) return null;
  const letters = toLatin1(bytes);
  return isBase64(letters) ? Buffer.from(letters.toString('latin1'), 'base64') : null;
}

/** Returns a text byte for letter, where it is in UTF-16, without its byte order mark and the head of a `data:` URL (RFC 2397). */
function toLatin1(bytes: Buffer): Buffer {
  const encoding = detectEncoding(bytes.subarray(0, 1024));
  const isUtf16 = encoding.startsWith('utf-16');
  const letters = isUtf16 ? Buffer.from(new TextDecoder(encoding).decode(bytes), 'latin1') : bytes;
  const [head = ''] = BASE64_HEAD.exec(letters.toString('latin1', 0, 256)) ?? [];
  return letters.subarray(head.length);
}

const BASE64_HEAD = /^(?:\xef\xbb\xbf)?(?:data:[^,]{0,200};base64,)?/i;

const isDocument = (head: Buffer): boolean =>
  detectMediaType(head) !== null || XML_START.test(head.toString('latin1', 0, 256)) || isUnicodeText(head);

/** True for text in UTF-8 or UTF-16, which hardly any letters happen to be the base64 of. The last character may be cut. */
function isUnicodeText(head: Buffer): boolean {
  const encoding = detectEncoding(head);
  try {
    const decoder = new TextDecoder(encoding === 'windows-1252' ? 'utf-8' : encoding, { fatal: true });
    return isText(decoder.decode(head, { stream: true }));
  } catch {
    return false;
  }
}

/** RFC 4648 §4, in lines or not. */
function isBase64(bytes: Buffer): boolean {
  return bytes.every(
    (byte) =>
      (byte >= 0x61 && byte <= 0x7a) ||
      (byte >= 0x41 && byte <= 0x5a) ||
      (byte >= 0x2f && byte <= 0x39) ||
      byte === 0x2b ||
      byte === 0x3d ||
      byte === 0x0a ||
      byte === 0x0d ||
      byte === 0x20,
  );
}
