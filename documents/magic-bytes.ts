/** Detects the media type of a file by its first bytes, for the kinds that have magic bytes. */
export function detectMediaType(bytes: Buffer): string | null {
  const head = bytes.toString('hex', 0, 32);
  const type = MAGIC.find(([magic]) => magic.test(head))?.[1];
  return type ?? (bytes.toString('latin1', 128, 132) === 'DICM' ? 'application/dicom' : null);
}

/** In hexadecimal. */
const MAGIC: readonly [RegExp, string][] = [
  [/^255044462d/, 'application/pdf'],
  // `{\rtf`, after white space or not.
  [/^(?:0[9ad]|20){0,16}7b5c727466/, 'application/rtf'],
  [/^1f8b08/, 'application/gzip'],
  [/^89504e470d0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^47494638(?:37|39)61/, 'image/gif'],
  [/^(?:49492a00|4d4d002a)/, 'image/tiff'],
  [/^424d.{8}00000000/, 'image/bmp'],
  [/^52494646.{8}57454250/, 'image/webp'],
  // ISO 14496-12 §4.3: the brand follows `ftyp`.
  [/^.{8}66747970(?:68656963|68656966|68656973|68656978|6d696631|61766966)/, 'image/heic'],
  [/^.{8}66747970/, 'video/mp4'],
  [/^(?:494433|ff(?:f2|f3|fb))/, 'audio/mpeg'],
  [/^52494646.{8}57415645/, 'audio/wav'],
  [/^504b0304/, 'application/zip'],
  [/^d0cf11e0a1b11ae1/, 'application/x-ole-storage'],
  [/^377abcaf271c/, 'application/x-7z-compressed'],
  [/^526172211a07/, 'application/vnd.rar'],
  [/^425a683[1-9]/, 'application/x-bzip2'],
  [/^fd377a585a00/, 'application/x-xz'],
  [/^53514c69746520666f726d6174203300/, 'application/vnd.sqlite3'],
];

/** Null stands for files without magic bytes, whose content decides. */
const READABLE_TYPES = new Set<string | null>([
  null,
  'application/pdf',
  'application/rtf',
  'application/gzip',
]);

/** False where the first bytes alone show a kind that is not read. */
export const isReadable = (bytes: Buffer): boolean => READABLE_TYPES.has(detectMediaType(bytes));
