import { isUtf8 } from 'node:buffer';

/** How much of a document decides its encoding; HTML §13.2.3.2 requires the first 1,024 bytes. */
const HEAD_BYTES = 1024;

/**
 * Decodes a document's text, and returns its encoding: by the byte order mark, by where NULs are (UTF-16 without a mark),
 * by an XML declaration or an HTML `meta`, UTF-8 where it is valid, and else windows-1252, which has a letter for every
 * byte. The mark is left out; invalid sequences become U+FFFD.
 */
export function decodeText(bytes: Buffer): { text: string; encoding: string } {
  const encoding = detectEncoding(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

/** Returns the encoding by its WHATWG name. The start of a document gives the same result as the whole, except for UTF-8. */
export function detectEncoding(bytes: Buffer): string {
  const encoding = detectByteOrderMark(bytes) ?? detectUtf16(bytes) ?? readDeclaredEncoding(bytes) ?? 'utf-8';
  return encoding === 'utf-8' && !isUtf8(bytes) ? 'windows-1252' : encoding;
}

function detectByteOrderMark(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** Western text in UTF-16 has a NUL in nearly every other byte; text in any other encoding has none at all. */
function detectUtf16(bytes: Buffer): string | null {
  const pairs = Math.min(bytes.length, HEAD_BYTES) >> 1;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < pairs * 2; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  if (even === 0 && odd * 2 > pairs) return 'utf-16le';
  return odd === 0 && even * 2 > pairs ? 'utf-16be' : null;
}

const XML_DECLARATION =
  /^\s{0,100}<\?xml\s[^>]{0,200}?\sencoding\s{0,20}=\s{0,20}["']([A-Za-z0-9._:-]{1,40})["']/;
const HTML_META = /<meta\s[^>]{0,200}?charset\s{0,20}=\s{0,20}["']?([A-Za-z0-9._:-]{1,40})/i;
const LOOKS_LIKE_HTML = /<(?:!doctype\s{1,20}html|html|head|meta)[\s>]/i;

/** Returns null where no encoding is declared, or an unknown one. */
function readDeclaredEncoding(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  const label = XML_DECLARATION.exec(head)?.[1] ?? (LOOKS_LIKE_HTML.test(head) && HTML_META.exec(head)?.[1]);
  if (!label) return null;
  try {
    const { encoding } = new TextDecoder(label);
    // A declaration that was read byte by byte cannot be in UTF-16 (HTML §13.2.3.2 says the same).
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return null;
  }
}
