import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { toElement, readText, type Element } from './element.ts';
import { htmlToText } from '../../../documents/html/html-to-text.ts';

export interface AttachmentContent {
  /** As written; null when what is there is no text. */
  text: string | null;
  contentType: string | null;
  unreadable: string | null;
  title: string | null;
  digest: string;
  /** The markup of HTML, whose comments and attributes are not in the text. */
  markup?: string;
}

/** A note is text; 64 MiB of it in one attachment is a compression bomb. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024;

/** Returns the text of a document by its digest; null where it was not extracted. */
export type GetDocumentText = (digest: string) => string | null;

/** Reads an Attachment with data or a link; null when it holds neither. */
export function readAttachment(
  value: unknown,
  getDocumentText: GetDocumentText = () => null,
): AttachmentContent | null {
  const attachment = toElement(value);
  const title = readText(attachment?.['title']);
  const url = readText(attachment?.['url']);
  const inline = readInline(attachment);
  const contentType = inline?.contentType ?? readText(attachment?.['contentType']);
  if (inline !== null) {
    const { data } = inline;
    const bytes = decodeBytes(data);
    const meta = { contentType, title, digest: computeDigest(bytes ?? data) };
    if (bytes === null) return { ...meta, text: null, unreadable: 'damaged data' };
    const content = decodeContent(bytes, contentType);
    const words = 'document' in content ? getDocumentText(meta.digest) : null;
    if ('text' in content) return { ...meta, ...content, unreadable: null };
    if (words !== null) return { ...meta, text: words, unreadable: null };
    return { ...meta, text: null, unreadable: content.unreadable };
  }
  if (url === null) return null;
  const unreadable = OF_RECORD.test(url) ? `link to ${url}` : 'link, not fetched';
  return { text: null, unreadable, contentType, title, digest: computeDigest(url) };
}

/** A Binary that came with the record: its address is rewritten to this one, wherever it was. */
const OF_RECORD = /^Binary\/[A-Za-z0-9.-]{1,64}$/;

/** The content as base64: in `data`, or in the URL itself (RFC 2397). */
function readInline(attachment: Element | null): { data: string; contentType: string | null } | null {
  const data = readText(attachment?.['data']);
  const contentType = readText(attachment?.['contentType']);
  if (data !== null) return { data, contentType };
  const [, type = '', isBase64, content] = DATA_URL.exec(readText(attachment?.['url']) ?? '') ?? [];
  if (content === undefined) return null;
  return {
    data: isBase64 === undefined ? encodeInline(content) : content,
    contentType: type === '' ? contentType : type,
  };
}

export const DATA_URL = /^data:([^,]*?)(;base64)?,([^]*)$/i;

function encodeInline(inline: string): string {
  try {
    return Buffer.from(decodeURIComponent(inline)).toString('base64');
  } catch {
    return Buffer.from(inline).toString('base64');
  }
}

/** Returns an attached document that needs a parser of its format (PDF, RTF, XML), whose text `readAttachment` asks for; else null. */
export function extractDocument(value: unknown): { digest: string; bytes: Buffer } | null {
  const inline = readInline(toElement(value));
  const bytes = inline && decodeBytes(inline.data);
  if (inline === null || bytes === null || !('document' in decodeContent(bytes, inline.contentType)))
    return null;
  return { digest: computeDigest(bytes), bytes };
}

/** The same content, the same digest: 128 bits of SHA-256. */
export function computeDigest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/** Decodes base64, and inflates GZIP whatever the label says (sample archive 02); null when the data is damaged. */
function decodeBytes(data: string): Buffer | null {
  const base64 = data.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) return null;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_INFLATED_BYTES });
  } catch {
    return null;
  }
}

/** `document`: of a format whose text `GetDocumentText` may know. */
type DecodedContent =
  | { text: string; markup?: string }
  | { unreadable: string }
  | { unreadable: string; document: true };

const DOCUMENTS = new Set(['PDF', 'RTF', 'XML']);

function decodeContent(bytes: Buffer, contentType: string | null): DecodedContent {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';');
  const kind = detectKind(bytes) ?? parseKind(type.trim());
  const size = formatSize(bytes.length);
  if (kind !== null) {
    const unreadable = `${kind}, ${size}`;
    return DOCUMENTS.has(kind) ? { unreadable, document: true } : { unreadable };
  }
  const decoded = decode(bytes, contentType);
  if (decoded === null) return { unreadable: `data that is no text, ${size}` };
  const head = decoded.slice(0, 2000).trimStart().toLowerCase();
  if (head.startsWith('<!doctype html') || head.includes('<html') || /html/.test(type)) {
    return { text: htmlToText(decoded), markup: decoded };
  }
  if (head.startsWith('<?xml') || head.startsWith('<clinicaldocument'))
    return { unreadable: `XML, ${size}`, document: true };
  return decoded.trim() === '' ? { unreadable: 'empty' } : { text: decoded };
}

/** File formats by their first bytes, which count more than the label. */
const MAGIC: [string, string][] = [
  ['25504446', 'PDF'],
  ['7b5c727466', 'RTF'],
  ['89504e47', 'PNG image'],
  ['ffd8ff', 'JPEG image'],
  ['47494638', 'GIF image'],
  ['49492a00', 'TIFF image'],
  ['4d4d002a', 'TIFF image'],
  ['504b0304', 'ZIP archive'],
  ['d0cf11e0', 'Office document'],
];

function detectKind(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 8).toString('hex');
  if (bytes.subarray(128, 132).toString('latin1') === 'DICM') return 'DICOM image';
  return MAGIC.find(([magic]) => head.startsWith(magic))?.[1] ?? null;
}

const KIND_BY_CONTENT_TYPE = new Map([
  ['application/pdf', 'PDF'],
  ['application/xml', 'XML'],
  ['text/xml', 'XML'],
  ['application/hl7-v3+xml', 'XML'],
  ['application/rtf', 'RTF'],
  ['text/rtf', 'RTF'],
  ['application/dicom', 'DICOM image'],
]);

/** Returns the kind by its label; null for what is worth decoding as text, which includes no label and `application/octet-stream`. */
function parseKind(type: string): string | null {
  const known = KIND_BY_CONTENT_TYPE.get(type);
  if (known !== undefined) return known;
  if (/^(text\/|application\/(xhtml\+xml|json|fhir\+json|octet-stream)$)/.test(type) || type === '')
    return null;
  return type.startsWith('image/') ? `${type.slice(6).toUpperCase()} image` : type;
}

/**
 * Decodes by the byte order mark, else by the label's charset, else as UTF-8, else as windows-1252, in which every byte is
 * a character. A charset nobody here knows (UTF-7, EBCDIC) is not guessed: its letters would pass for other words.
 */
function decode(bytes: Buffer, contentType: string | null): string | null {
  const charset = detectUtf16(bytes) ?? readCharset(contentType);
  if (charset === null) return null;
  const decoded = decodeAs(bytes, charset) ?? decodeAs(bytes, 'utf-8') ?? decodeAs(bytes, 'windows-1252');
  // PostgreSQL text holds no NUL. UTF-32 begins like UTF-16, and has one in every character.
  return decoded === null || decoded.includes('\0') ? null : decoded;
}

function detectUtf16(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** Returns the label's charset, UTF-8 where it names none; null for one that is unknown. */
function readCharset(contentType: string | null): string | null {
  const label = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  // "ISO8859_1", as Java writes it.
  for (const name of [label, label.replaceAll('_', '-')])
    try {
      return new TextDecoder(name).encoding;
    } catch {
      continue;
    }
  return null;
}

function decodeAs(bytes: Buffer, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
