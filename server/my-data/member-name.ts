/** Most bytes of one part of a path: what file systems take, less what may be put before it. */
const LONGEST_PART = 200;

/** A path that unpacks inside its folder on every system, whatever a document was called when it was uploaded. */
export function safePath(path: string): string {
  const parts = path
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(safePart);
  return parts.length === 0 ? 'document' : parts.join('/');
}

/** Without what Windows refuses (control characters, `<>:"|?*`, a dot or space at the end), and short enough. */
function safePart(part: string): string {
  const clean = part.replace(/[\p{Cc}\p{Cs}<>:"|?*]/gu, '_').replace(/[. ]+$/, '_');
  if (Buffer.byteLength(clean) <= LONGEST_PART) return clean;
  const ending = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? '';
  let start = clean.slice(0, LONGEST_PART);
  while (Buffer.byteLength(start + ending) > LONGEST_PART) start = start.slice(0, -1);
  return start.replace(/[\uD800-\uDBFF]$/, '') + ending;
}

/** Names that were given before, told apart as the least careful file system does: without regard to case. */
export function distinctNames(): (path: string) => string {
  const given = new Set<string>();
  return (path) => {
    let name = path;
    for (let count = 2; given.has(name.toLowerCase()); count++) name = numbered(path, count);
    given.add(name.toLowerCase());
    return name;
  };
}

const numbered = (path: string, count: number): string => {
  const dot = path.lastIndexOf('.');
  const hasEnding = dot > path.lastIndexOf('/') + 1;
  return hasEnding ? `${path.slice(0, dot)} (${count})${path.slice(dot)}` : `${path} (${count})`;
};
