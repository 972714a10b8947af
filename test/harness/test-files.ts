import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './process.ts';
import { listImports } from './structure.ts';

const FOLDERS = '{contract,documents,server,cli,tools,test,web}';

/** Returns every test file, or those that the names (files, folders or patterns) stand for; throws for a name without any. */
export function listTestFiles(names: readonly string[] = []): string[] {
  if (names.length === 0) return glob(`${FOLDERS}/**/*.test.ts`).sort();
  return [...new Set(names.flatMap(resolveName))];
}

function resolveName(name: string): string[] {
  const relative = path.relative(ROOT, path.resolve(name));
  const isFolder = fs.statSync(relative, { throwIfNoEntry: false })?.isDirectory() === true;
  const files = glob(isFolder ? `${relative}/**/*.test.ts` : relative);
  if (files.length === 0) throw new Error(`no test file is called ${name}`);
  return files;
}

const glob = (pattern: string): string[] =>
  fs.globSync(pattern, { cwd: ROOT }).map((file) => file.replaceAll(path.sep, '/'));

export interface ImportGraph {
  /** The file and all that it imports, directly or through others. */
  listUsedFiles(file: string): ReadonlySet<string>;
  /** Whether a file imports another, directly or through others. */
  usesFile(file: string, imported: string): boolean;
}

/** Creates a graph of the imports as they are now; each file is read once. */
export function createImportGraph(): ImportGraph {
  const imports = new Map<string, readonly string[]>();
  const readImports = (file: string): readonly string[] => {
    const known = imports.get(file);
    if (known) return known;
    const isCode = /\.tsx?$/.test(file) && fs.existsSync(path.join(ROOT, file));
    const found = isCode ? listImports(file) : [];
    imports.set(file, found);
    return found;
  };
  const listUsedFiles = (file: string): ReadonlySet<string> => {
    const used = new Set([file]);
    // A set that grows is iterated to its new end.
    for (const next of used) for (const imported of readImports(next)) used.add(imported);
    return used;
  };
  return { listUsedFiles, usesFile: (file, imported) => listUsedFiles(file).has(imported) };
}
