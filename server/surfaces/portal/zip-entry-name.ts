/** Most bytes of one part of a path: what file systems take, less what may be put before it. */
const MAX_PART_BYTES = 200;

/** Most bytes of a path: Linux takes 4,096 with the folder it is unpacked into, an archive 65,535 (APPNOTE 4.4.10). */
const MAX_PATH_BYTES = 1000;

/** A path that unpacks inside its folder on every system, whatever a document was called when it was uploaded. */
export function sanitizePath(path: string): string {
  const parts = path
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(sanitizePart);
  let length = 0;
  // Of a longer one the folders nearest to the document.
  const cutIndex = parts.findLastIndex((part) => (length += Buffer.byteLength(part) + 1) > MAX_PATH_BYTES);
  return parts.length === 0 ? 'document' : parts.slice(cutIndex + 1).join('/');
}

/** Names that Windows keeps for devices, with whatever ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?= *(?:\.|$))/i;

/**
 * Without what Windows refuses (control characters, `<>:"|?*`, a dot or space at the end, devices) or what shows a name
 * as another (characters that are not seen, and those that turn the direction), and short enough.
 */
function sanitizePart(part: string): string {
  const clean = part
    .replace(/[\p{Cc}\p{Cs}<>:"|?*\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu, '_')
    .replace(/[. ]+$/, '_')
    .replace(DEVICE, '$&_');
  if (Buffer.byteLength(clean) <= MAX_PART_BYTES) return clean;
  const extension = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? '';
  let start = clean.slice(0, MAX_PART_BYTES);
  while (Buffer.byteLength(start + extension) > MAX_PART_BYTES) start = start.slice(0, -1);
  return start.replace(/[\uD800-\uDBFF]$/, '') + extension;
}

/**
 * Names that were given before, told apart as the least careful file system does: without regard to case, nor to how an
 * accent is written. Counts on where it was: 20,000 of one name took three minutes when each began at 2.
 */
export function createNameDeduplicator(): (path: string) => string {
  /** Each with the number to try next. */
  const nextNumbers = new Map<string, number>();
  return (path) => {
    let name = path;
    let count = nextNumbers.get(foldName(path)) ?? 2;
    while (nextNumbers.has(foldName(name))) name = appendNumber(path, count++);
    nextNumbers.set(foldName(path), count);
    if (name !== path) nextNumbers.set(foldName(name), 2);
    return name;
  };
}

const foldName = (name: string): string => name.normalize('NFC').toLowerCase();

const appendNumber = (path: string, count: number): string => {
  const dot = path.lastIndexOf('.');
  const hasExtension = dot > path.lastIndexOf('/') + 1;
  return hasExtension ? `${path.slice(0, dot)} (${count})${path.slice(dot)}` : `${path} (${count})`;
};
