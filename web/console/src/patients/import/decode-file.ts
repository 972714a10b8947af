export interface DecodedFile {
  text: string;
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
}

/**
 * Decodes a file by its byte order mark, else by the zeros of UTF-16, else as UTF-8 where it is that throughout, else as
 * Windows-1252, in which spreadsheets save CSV without further ado and every byte is a letter.
 */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const encoding = detectEncoding(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

function detectEncoding(bytes: Uint8Array): DecodedFile['encoding'] {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zeros = countZeros(bytes.subarray(0, SAMPLE_BYTES));
  const half = Math.min(bytes.length, SAMPLE_BYTES) / 2;
  if (zeros.odd > half / 2) return 'utf-16le';
  if (zeros.even > half / 2) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

const SAMPLE_BYTES = 4096;

function countZeros(bytes: Uint8Array): { even: number; odd: number } {
  const zeros = { even: 0, odd: 0 };
  bytes.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2 === 0 ? 'even' : 'odd']++;
  });
  return zeros;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
