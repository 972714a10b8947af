/** File systems take 255 bytes for one part of a path; the rest is left for a prefix. */
const MAX_PART_BYTES = 200;

/** Linux takes 4,096 bytes for a path, the target folder included; an archive 65,535 (APPNOTE 4.4.10). */
const MAX_PATH_BYTES = 1000;

/** Returns a path that unpacks inside its folder on every system, whatever name a document was uploaded with. */
export function sanitizePath(path: string): string {
  const parts = path
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(sanitizePart);
  let length = 0;
  // A path that is too long keeps the folders nearest to the document.
  const cutIndex = parts.findLastIndex((part) => (length += Buffer.byteLength(part) + 1) > MAX_PATH_BYTES);
  return parts.length === 0 ? 'document' : parts.slice(cutIndex + 1).join('/');
}

/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?= *(?:\.|$))/i;

/**
 * Removes what Windows refuses (control characters, `<>:"|?*`, a dot or space at the end, devices) and what disguises a
 * name (invisible characters, and those that change the direction), and shortens the rest.
 */
function sanitizePart(part: string): string {
  const clean = part
    .replace(/[\p{Cc}\p{Cs}<>:"|?*\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu, '_')
    .replace(/(?<![. ])[. ]+$/, '_')
    .replace(DEVICE, '$&_');
  if (Buffer.byteLength(clean) <= MAX_PART_BYTES) return clean;
  const extension = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? '';
  let start = clean.slice(0, MAX_PART_BYTES);
  while (Buffer.byteLength(start + extension) > MAX_PART_BYTES) start = start.slice(0, -1);
  return start.replace(/[\uD800-\uDBFF]$/, '') + extension;
}

/**
 * Numbers names that were used before, comparing as the least strict file system does: without case, and with accents
 * in any encoding; a folder too that has the name of a document, where no system keeps both. It counts on from the last number:
 * 20,000 of one name took three minutes when each began at 2.
 */
export function createNameDeduplicator(): (path: string) => string {
  const documentNames = new Set<string>();
  /** The number to try next, by name. */
  const nextNumbers = new Map<string, number>();
  /** What folders are called in the archive, by the name they had, and the names in use. */
  const folders = new Map<string, string>();
  const folderNames = new Set<string>();
  const nameFolder = (path: string): string => {
    if (path === '') return '';
    const known = folders.get(path);
    if (known !== undefined) return known;
    const own = move(path);
    let name = own;
    for (let count = 2; documentNames.has(foldName(name)); count++) name = appendNumber(own, count);
    folders.set(path, name);
    folderNames.add(foldName(name));
    return name;
  };
  /** Returns the path in the folder as that is called in the archive. */
  const move = (path: string): string => {
    const slash = path.lastIndexOf('/');
    return slash === -1 ? path : `${nameFolder(path.slice(0, slash))}${path.slice(slash)}`;
  };
  return (path) => {
    const moved = move(path);
    const key = foldName(moved);
    let [name, folded] = [moved, key];
    let count = nextNumbers.get(key) ?? 2;
    while (documentNames.has(folded) || folderNames.has(folded)) {
      name = appendNumber(moved, count++);
      folded = foldName(name);
    }
    nextNumbers.set(key, count);
    documentNames.add(folded);
    return name;
  };
}

const foldName = (name: string): string => name.normalize('NFC').toLowerCase();

const appendNumber = (path: string, count: number): string => {
  const dot = path.lastIndexOf('.');
  const hasExtension = dot > path.lastIndexOf('/') + 1;
  return hasExtension ? `${path.slice(0, dot)} (${count})${path.slice(dot)}` : `${path} (${count})`;
};
