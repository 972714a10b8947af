import { createHash } from 'node:crypto';

const MAX_NAME_LENGTH = 40;
const MAX_FOLDER_LENGTH = 30;

/**
 * Puts names in place of the paths of documents in the rows that an answer is made of, however deep they stand: a path may hold
 * the name of a person. A name is for a reader, short, and that of one document alone: rows and sides of a contradiction that
 * have different ones are of different documents, and no others.
 */
export function replaceDocumentPaths(rows: readonly unknown[]): void {
  const named = listNamed(rows);
  const names = nameDocuments(named.map(({ documentPath }) => documentPath));
  for (const each of named) each.documentPath = names.get(each.documentPath) ?? each.documentPath;
}

interface Named {
  documentPath: string;
}

function listNamed(rows: readonly unknown[]): Named[] {
  const found: Named[] = [];
  const left: unknown[] = [rows];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each !== 'object' || each === null) continue;
    if (isNamed(each)) found.push(each);
    for (const inner of Object.values(each)) if (typeof inner === 'object') left.push(inner);
  }
  return found;
}

const isNamed = (value: object): value is Named =>
  'documentPath' in value && typeof value.documentPath === 'string';

/**
 * Names documents by the last segment of their paths. Several of one name, as each IHE XDM export has its DOC0001.XML, have the
 * folder before it in which they differ; where they differ in none, what their paths are a hash of.
 */
export function nameDocuments(paths: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, alike] of Map.groupBy(new Set(paths), shortenDocumentName)) {
    const isAlone = alike.length === 1;
    const folders = isAlone ? null : findFolders(alike);
    for (const [at, path] of alike.entries())
      names.set(
        path,
        isAlone ? name : folders === null ? `${name} (${hash(path)})` : `${folders[at]}/${name}`,
      );
  }
  return names;
}

const shortenDocumentName = (path: string): string =>
  shorten(path.slice(path.lastIndexOf('/') + 1) || path, MAX_NAME_LENGTH);

/** A long text keeps its beginning and its end, which shows the file type. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = Math.floor((length - 1) * 0.4);
  const beginning = text.slice(0, length - 1 - end).replace(/[\uD800-\uDBFF]$/, '');
  return `${beginning}…${text.slice(-end).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** Returns the nearest folder of each path by which all of them differ: "hospital-a", or "hospital-a/…" from further above. */
function findFolders(paths: readonly string[]): string[] | null {
  const folders = paths.map((path) => path.split('/').slice(0, -1).reverse());
  const depth = Math.max(...folders.map(({ length }) => length));
  for (let level = 0; level < depth; level++) {
    const named = folders.map((all) => shorten(all[level] ?? '', MAX_FOLDER_LENGTH));
    if (named.every(Boolean) && new Set(named).size === named.length)
      return level === 0 ? named : named.map((folder) => `${folder}/…`);
  }
  return null;
}

const hash = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 6);
