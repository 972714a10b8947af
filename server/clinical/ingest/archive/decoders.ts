export type CharacterCoding = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** Decodes a file into UTF-8 as its bytes flow. */
export interface Decoder {
  push(chunk: Buffer): Buffer;
  /** Returns what is left at the end of the file. */
  end(): Buffer;
}

/**
 * Creates a decoder. Where the file breaks the rules of its coding it gives a byte that is no UTF-8: that costs the resource in
 * which it stands, while U+FFFD would be a letter of it.
 */
export function createDecoder(coding: 'base64' | CharacterCoding): Decoder {
  if (coding === 'base64') return createBase64Decoder();
  const unit = coding.startsWith('utf-32') ? 4 : 2;
  const isBigEndian = coding.endsWith('be');
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let end = bytes.length - (bytes.length % unit);
      // The first half of a pair waits for the second.
      if (unit === 2 && end > 0 && ((bytes[isBigEndian ? end - 2 : end - 1] ?? 0) & 0xfc) === 0xd8) end -= 2;
      rest = Buffer.from(bytes.subarray(end));
      return encode(readText(bytes.subarray(0, end), unit, isBigEndian));
    },
    end: () => (rest.length === 0 ? rest : ILL_FORMED),
  };
}

/** No UTF-8 by itself, and no letter of windows-1252. */
const ILL_FORMED = Buffer.from([0x81]);

function readText(bytes: Buffer, unit: 2 | 4, isBigEndian: boolean): string {
  if (unit === 2) return (isBigEndian ? Buffer.from(bytes).swap16() : bytes).toString('utf16le');
  const littleEndian = isBigEndian ? Buffer.from(bytes).swap32() : bytes;
  const units = Buffer.alloc(bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length; at += 4) {
    const point = littleEndian.readUInt32LE(at);
    const isPair = point > 0xffff && point <= 0x10ffff;
    // Half of a pair by itself, which `encode` finds.
    const first = isPair ? 0xd7c0 + (point >> 10) : point > 0xffff ? 0xd800 : point;
    size = units.writeUInt16LE(first, size);
    if (isPair) size = units.writeUInt16LE(0xdc00 + (point & 0x3ff), size);
  }
  return units.toString('utf16le', 0, size);
}

function encode(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  return Buffer.concat(
    text
      .split(/\p{Surrogate}/u)
      .flatMap((part, index) => [...(index === 0 ? [] : [ILL_FORMED]), Buffer.from(part)]),
  );
}

function createBase64Decoder(): Decoder {
  let rest = '';
  return {
    push(chunk) {
      const text = rest + chunk.toString('latin1').replace(/\s+|^\xef\xbb\xbf/g, '');
      const end = text.length - (text.length % 4);
      rest = text.slice(end);
      return decodeBase64(text.slice(0, end));
    },
    end: () => decodeBase64(rest),
  };
}

/** Padding may stand in the middle, where each line was encoded by itself. */
const decodeBase64 = (text: string): Buffer =>
  Buffer.concat(
    (text.match(/[A-Za-z0-9+/_-]+=*|[^A-Za-z0-9+/_-]+/g) ?? []).map((part) =>
      /^[A-Za-z0-9+/_-]/.test(part) ? Buffer.from(part, 'base64') : ILL_FORMED,
    ),
  );
